//! Plots of scores in the report: bars by tier, and consistency on one pattern against the other.

use super::{
    html::{esc, percent},
    plots::{Axis, PATTERNS, WIDTH, cut, figure, keys, room_of},
};
use std::fmt::Write as _;

/// One model's values in three tiers, each with its interval.
pub(super) struct Tiers {
    pub label: String,
    pub values: [(Option<f64>, Option<[f64; 2]>); 3],
}

/// Three bars a model from zero on, each tier with a pattern of its own.
pub(super) fn tier_bars(title: &str, tiers: [&str; 3], rows: &[Tiers]) -> String {
    let values = rows
        .iter()
        .flat_map(|row| row.values)
        .flat_map(|(value, ends)| value.into_iter().chain(ends.into_iter().flatten()));
    let (left, right, step, bar) = (200.0, 70.0, 54.0, 14.0);
    let Some(axis) = Axis::over(values, [0.0, 0.1], [left, WIDTH - right]) else { return String::new() };
    let x = |v: f64| axis.at(v);
    let height = rows.len() as f64 * step + 32.0;
    let mut out = format!("{PATTERNS}{}", axis.upright(height, percent));
    let classes = ["full1", "hatch", "dots"];
    for (at, row) in rows.iter().enumerate() {
        let top = at as f64 * step + 4.0;
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"0\" y=\"{:.1}\">{}</text>",
            top + step / 2.0,
            esc(&cut(&row.label, left - 10.0))
        );
        for ((place, class), (value, ends)) in (0..3).zip(classes).zip(&row.values) {
            let y = top + f64::from(place) * (bar + 2.0);
            let Some(value) = value else {
                let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">–</text>", x(0.0) + 4.0, y + bar - 3.0);
                continue;
            };
            let (from, to) = (x(value.min(0.0)), x(value.max(0.0)));
            let _ = write!(
                out,
                "<rect class=\"part {class}\" x=\"{from:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{bar}\"/>",
                (to - from).max(0.5)
            );
            if let Some([low, high]) = ends {
                let _ = write!(
                    out,
                    "<path class=\"ends\" d=\"M{0:.1} {2:.1}H{1:.1}M{0:.1} {3:.1}V{4:.1}M{1:.1} {3:.1}V{4:.1}\"/>",
                    x(*low),
                    x(*high),
                    y + bar / 2.0,
                    y + bar / 2.0 - 3.0,
                    y + bar / 2.0 + 3.0
                );
            }
            let _ = write!(
                out,
                "<text class=\"ink\" x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y + bar - 2.0,
                percent(Some(*value))
            );
        }
    }
    figure(title, height, &out, &keys(tiers.into_iter().zip(classes)))
}

/// A point of two shares.
pub(super) struct Point {
    pub label: String,
    pub x: f64,
    pub y: f64,
}

/// Points of two shares, each named and with a shape of its own; the dashed line is where both are the same.
pub(super) fn scatter(title: &str, [across, up]: [&str; 2], points: &[Point]) -> String {
    if points.is_empty() {
        return String::new();
    }
    let (left, right, side) = (60.0, 460.0, 400.0);
    let x = |v: f64| left + v * (right - left);
    let y = |v: f64| 12.0 + (1.0 - v) * (side - 60.0);
    let mut out = String::new();
    for fifth in 0..=5 {
        let v = f64::from(fifth) / 5.0;
        let _ = write!(
            out,
            "<line class=\"rule\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\"/><line class=\"rule\" x1=\"{3:.1}\" \
             x2=\"{4:.1}\" y1=\"{5:.1}\" y2=\"{5:.1}\"/><text x=\"{0:.1}\" y=\"{6:.1}\" text-anchor=\"middle\">{7:.0}</text>\
             <text x=\"{8:.1}\" y=\"{9:.1}\" text-anchor=\"end\">{7:.0}</text>",
            x(v),
            y(0.0),
            y(1.0),
            x(0.0),
            x(1.0),
            y(v),
            y(0.0) + 18.0,
            v * 100.0,
            left - 8.0,
            y(v) + 4.0
        );
    }
    let _ = write!(
        out,
        "<line class=\"chosen\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" \
         text-anchor=\"middle\">{across}</text><text transform=\"rotate(-90 14 {6:.1})\" x=\"14\" y=\"{6:.1}\" \
         text-anchor=\"middle\">{up}</text>",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0),
        x(0.5),
        side - 6.0,
        y(0.5),
    );
    // Where names stand already: from, to, and the line. One that would lie on another goes a line up.
    let mut named: Vec<[f64; 3]> = Vec::new();
    for (at, point) in points.iter().enumerate() {
        let (px, py) = (x(point.x), y(point.y));
        let label = cut(&point.label, WIDTH - px - 10.0);
        let [from, to] = [px + 10.0, px + 10.0 + room_of(&label)];
        let mut line = py + 4.0;
        let met = |line: f64, named: &[[f64; 3]]| {
            named.iter().any(|[start, end, other]| to > *start && from < *end && (line - other).abs() < 14.0)
        };
        while line > 14.0 && met(line, &named) {
            line -= 14.0;
        }
        named.push([from, to, line]);
        let shape = match at % 4 {
            0 => format!("M{:.1} {py:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", px - 5.0),
            1 => format!("M{:.1} {:.1}h10v10h-10z", px - 5.0, py - 5.0),
            2 => format!("M{px:.1} {:.1}l6 10h-12z", py - 6.0),
            _ => format!("M{px:.1} {:.1}l6 6l-6 6l-6 -6z", py - 6.0),
        };
        let _ = write!(
            out,
            "<path class=\"mark\" d=\"{shape}\"/><text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            from,
            line,
            esc(&label)
        );
    }
    figure(title, side, &out, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_below_zero_hangs_left_of_the_axis() {
        let row = Tiers {
            label: "<m>".to_owned(),
            values: [(Some(0.5), Some([0.4, 0.6])), (Some(-0.25), None), (None, None)],
        };
        let svg = tier_bars("Tiers", ["AC", "V", "C"], &[row]);
        let place = |class: &str, of: &str| -> f64 {
            let bar = &svg[svg.find(&format!("<rect class=\"part {class}\" x=")).unwrap()..];
            let from = bar.find(&format!("{of}=\"")).unwrap() + of.len() + 2;
            bar[from..].split('"').next().unwrap().parse().unwrap()
        };
        let zero = place("full1", "x");
        assert!((place("hatch", "x") + place("hatch", "width") - zero).abs() < 0.2, "it ends at zero: {svg}");
        assert!(place("full1", "width") > place("hatch", "width"), "half is more than a quarter");
        assert!(svg.contains("&lt;m&gt;") && svg.contains('–'), "names are text, and no value is no bar");
        assert_eq!(tier_bars("Tiers", ["AC", "V", "C"], &[]), "", "nothing to draw");
    }

    #[test]
    fn the_diagonal_is_where_both_are_the_same() {
        let svg = scatter("t", ["a", "b"], &[Point { label: "m".to_owned(), x: 0.0, y: 1.0 }]);
        assert!(svg.contains("M55.0 12.0a5 5"), "a circle at the upper left corner: {svg}");
    }

    #[test]
    fn names_of_one_place_stand_apart() {
        let at = |label: &str| Point { label: label.to_owned(), x: 0.5, y: 0.5 };
        let svg = scatter("t", ["a", "b"], &[at("one"), at("two")]);
        let line = |name: &str| -> f64 {
            let before = &svg[..svg.find(&format!("\">{name}</text>")).unwrap()];
            before[before.rfind("y=\"").unwrap() + 3..].parse().unwrap()
        };
        assert!((line("one") - line("two") - 14.0).abs() < 0.05, "one line apart: {svg}");
    }
}
