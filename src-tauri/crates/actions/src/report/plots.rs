//! Plots of the report, as SVG that stands in the page: no script, no font and no picture from elsewhere. Colours come from the
//! page's styles, and no meaning rests on them alone.

use super::html::{esc, percent, two};
use crate::figures::interval;
use std::fmt::Write as _;

pub(super) const WIDTH: f64 = 720.0;

/// The patterns of bars; the page's styles name them.
pub(super) const PATTERNS: &str = "<defs><pattern id=\"p1\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
     patternTransform=\"rotate(45)\"><rect class=\"soft1\" width=\"8\" height=\"8\"/><rect class=\"full1\" width=\"4\" \
     height=\"8\"/></pattern><pattern id=\"p2\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect class=\"soft2\" \
     width=\"6\" height=\"6\"/><circle class=\"full2\" cx=\"3\" cy=\"3\" r=\"1.8\"/></pattern></defs>";

pub(super) fn figure(title: &str, height: f64, inside: &str, legend: &str) -> String {
    format!(
        "<figure><figcaption>{0}</figcaption><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{0}\">{inside}</svg>\
         {legend}</figure>\n",
        esc(title)
    )
}

/// A row of a forest plot.
pub(super) struct Estimate {
    pub label: String,
    pub n: String,
    pub value: Option<f64>,
    pub ci95: Option<[f64; 2]>,
}

/// About five round steps that cover the range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low).max(1e-9) / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw * 0.999).unwrap_or(raw);
    let (from, to) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some ten steps
    let steps = (to - from).clamp(0.0, 100.0) as u32;
    (0..=steps).map(|at| (from + f64::from(at)) * step).collect()
}

/// A scale with round ticks between two places of a plot.
pub(super) struct Axis {
    ticks: Vec<f64>,
    from: f64,
    to: f64,
}
impl Axis {
    /// Over all values, `least` and `most`; none without a value.
    pub fn over(
        values: impl Iterator<Item = f64>,
        [least, most]: [f64; 2],
        [from, to]: [f64; 2],
    ) -> Option<Self> {
        let mut values = values.peekable();
        values.peek()?;
        let [low, high] = values.fold([least, most], |[low, high], v| [low.min(v), high.max(v)]);
        Some(Self { ticks: ticks(low, high), from, to })
    }

    /// Where a value lies.
    pub fn at(&self, value: f64) -> f64 {
        let first = self.ticks.first().copied().unwrap_or(0.0);
        let last = self.ticks.last().copied().unwrap_or(1.0);
        self.from + (value - first) / (last - first).max(1e-9) * (self.to - self.from)
    }

    /// Rules down from the top of a plot of this height, with their figures at its foot.
    pub fn upright(&self, height: f64, show: fn(Option<f64>) -> String) -> String {
        let mut out = String::new();
        for tick in &self.ticks {
            let _ = write!(
                out,
                "<line class=\"{0}\" x1=\"{1:.1}\" x2=\"{1:.1}\" y1=\"4\" y2=\"{2:.1}\"/><text x=\"{1:.1}\" y=\"{3:.1}\" \
                 text-anchor=\"middle\">{4}</text>",
                rule_of(*tick),
                self.at(*tick),
                height - 28.0,
                height - 12.0,
                show(Some(*tick)),
            );
        }
        out
    }

    /// Rules across from `left` to `right`, with their figures before them.
    fn level(&self, [left, right]: [f64; 2], show: fn(Option<f64>) -> String) -> String {
        let mut out = String::new();
        for tick in &self.ticks {
            let _ = write!(
                out,
                "<line class=\"{0}\" x1=\"{left}\" x2=\"{right:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" \
                 text-anchor=\"end\">{4}</text>",
                rule_of(*tick),
                self.at(*tick),
                left - 8.0,
                self.at(*tick) + 4.0,
                show(Some(*tick)),
            );
        }
        out
    }
}

fn rule_of(tick: f64) -> &'static str {
    if tick.abs() < 1e-9 { "zero" } else { "rule" }
}

/// The keys below a plot of bars: each part with the class of its pattern.
pub(super) fn keys<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::from("<p class=\"keys\">");
    for (part, class) in parts {
        let _ = write!(
            out,
            "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 20 12\" aria-hidden=\"true\"><rect class=\"part {class}\" \
             x=\"1\" y=\"1\" width=\"18\" height=\"10\"/></svg>{}</span>",
            esc(part)
        );
    }
    out + "</p>"
}

/// What a text of 12 pixels takes at most, as a rule.
pub(super) fn room_of(text: &str) -> f64 {
    text.chars().count() as f64 * 6.8
}

/// As much of a text as there is room for.
pub(super) fn cut(text: &str, room: f64) -> String {
    // Sums of such rooms are not exact.
    let room = room + 0.01;
    if room_of(text) <= room {
        return text.to_owned();
    }
    let mut left = room - 6.8;
    let fits = |_: &char| {
        left -= 6.8;
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Values with their intervals on one scale.
pub(super) fn forest(title: &str, rows: &[Estimate], show: fn(Option<f64>) -> String) -> String {
    // A name gets the room that it needs, as long as the scale keeps a third of the whole.
    let beside = |row: &Estimate| if row.n.is_empty() { 12.0 } else { room_of(&row.n) + 20.0 };
    let left = rows.iter().map(|row| room_of(&row.label) + beside(row)).fold(200.0, f64::max).min(320.0);
    let (right, step) = (165.0, 24.0);
    let values = rows.iter().flat_map(|row| row.value.into_iter().chain(row.ci95.into_iter().flatten()));
    let Some(axis) = Axis::over(values, [0.0, 0.1], [left, WIDTH - right]) else { return String::new() };
    let x = |v: f64| axis.at(v);
    let height = rows.len() as f64 * step + 34.0;
    let mut out = axis.upright(height, show);
    for (at, row) in rows.iter().enumerate() {
        let y = at as f64 * step + 4.0 + step / 2.0;
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"0\" y=\"{0:.1}\">{1}</text><text x=\"{2:.1}\" y=\"{0:.1}\" text-anchor=\"end\">{3}</text>",
            y + 4.0,
            esc(&cut(&row.label, left - beside(row))),
            left - 10.0,
            esc(&row.n),
        );
        if let Some([low, high]) = row.ci95 {
            let _ = write!(
                out,
                "<path class=\"whisker\" d=\"M{0:.1} {2:.1}H{1:.1}M{0:.1} {3:.1}V{4:.1}M{1:.1} {3:.1}V{4:.1}\"/>",
                x(low),
                x(high),
                y,
                y - 4.0,
                y + 4.0
            );
        }
        if let Some(value) = row.value {
            let _ = write!(out, "<circle class=\"mark\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/>", x(value));
        }
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            WIDTH - right + 10.0,
            y + 4.0,
            interval(row.ci95, show)
                .map_or_else(|| show(row.value), |ends| format!("{} ({ends})", show(row.value))),
        );
    }
    figure(title, height, &out, "")
}

/// A figure of one threshold.
type Figure = fn(&agreement::SweepPoint) -> Option<f64>;

/// The threshold sweep: percent agreement and π, the chosen threshold marked.
pub(super) fn sweep(title: &str, points: &[agreement::SweepPoint], chosen: f64) -> String {
    let lines: [(&str, &str, Figure); 2] = [
        ("first", "share of units that agree", |p| p.percent_agreement),
        ("second", "Scott’s π", |p| p.scott_pi),
    ];
    let (height, left, right) = (280.0, 50.0, 20.0);
    let x = |t: f64| left + t * (WIDTH - left - right);
    let values = points.iter().flat_map(|p| p.scott_pi.into_iter().chain(p.percent_agreement));
    let Some(axis) = Axis::over(values, [0.0, 1.0], [height - 44.0, 12.0]) else { return String::new() };
    let y = |v: f64| axis.at(v);
    let mut out = axis.level([left, WIDTH - right], two);
    for tenth in (0..=10).step_by(2) {
        let t = f64::from(tenth) / 10.0;
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{t:.2}</text>",
            x(t),
            height - 26.0
        );
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">threshold of the mean criterion score</text>\
         <line class=\"chosen\" x1=\"{2:.1}\" x2=\"{2:.1}\" y1=\"12\" y2=\"{3:.1}\"/>",
        x(0.5),
        height - 6.0,
        x(chosen),
        height - 44.0,
    );
    for (class, _, of) in lines {
        let mut path = String::new();
        let mut pen = false;
        for point in points {
            match of(point) {
                None => pen = false,
                Some(value) => {
                    let _ = write!(
                        path,
                        "{}{:.1} {:.1}",
                        if pen { "L" } else { "M" },
                        x(point.threshold),
                        y(value)
                    );
                    pen = true;
                }
            }
        }
        let _ = write!(out, "<path class=\"line {class}\" d=\"{path}\"/>");
    }
    let mut legend = String::new();
    for (class, name, _) in lines {
        let _ = write!(
            legend,
            "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"line {class}\" \
             d=\"M0 4H28\"/></svg>{name}</span>"
        );
    }
    figure(title, height, &out, &format!("<p class=\"keys\">{legend}</p>"))
}

/// The 2×2 table as areas: the width of a column is the judge's share, the height within it the human's.
pub(super) fn mosaic(title: &str, [correct, incorrect]: [[u64; 2]; 2]) -> String {
    let n = correct.iter().chain(&incorrect).sum::<u64>() as f64;
    if n == 0.0 {
        return String::new();
    }
    let (height, top) = (240.0, 22.0);
    let mut out = String::new();
    let columns = [("judge: correct", correct, 0), ("judge: incorrect", incorrect, 1)];
    let mut at = 0.0;
    for (name, [yes, no], column) in columns {
        let sum = (yes + no) as f64;
        let width = sum / n * WIDTH;
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"14\" text-anchor=\"{}\">{name}</text>",
            if column == 0 { 0.0 } else { WIDTH },
            if column == 0 { "start" } else { "end" }
        );
        let split = if sum == 0.0 { 0.5 } else { yes as f64 / sum } * (height - top);
        for (row, (count, y, tall)) in
            [(yes, top, split), (no, top + split, height - top - split)].into_iter().enumerate()
        {
            let class = if row == column { ["first", "second"][column] } else { "differ" };
            let _ = write!(
                out,
                "<rect class=\"area {class}\" x=\"{at:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                (width - 2.0).max(0.0),
                (tall - 2.0).max(0.0)
            );
            if width > 60.0 && tall > 20.0 {
                let human = ["correct", "incorrect"][row];
                let _ = write!(
                    out,
                    "<text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\">{count}{}</text>",
                    at + 8.0,
                    y + 16.0,
                    if width > 150.0 { format!("  human: {human}") } else { String::new() }
                );
            }
        }
        at += width;
    }
    figure(title, height, &out, "")
}

/// One bar of shares that add up to a whole.
pub(super) struct Bar {
    pub label: String,
    pub n: String,
    /// Shares of 1, in the order of the parts.
    pub shares: [f64; 4],
}

/// Bars of shares; each part has a pattern of its own.
pub(super) fn bars(title: &str, parts: [&str; 4], rows: &[Bar]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let (left, right, step) = (220.0, 60.0, 22.0);
    let x = |share: f64| left + share * (WIDTH - left - right);
    let height = rows.len() as f64 * step + 26.0;
    let mut out = String::from(PATTERNS);
    let classes = ["full1", "hatch", "dots", "nothing"];
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let _ = write!(
            out,
            "<line class=\"rule\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"2\" y2=\"{1:.1}\"/><text x=\"{0:.1}\" y=\"{2:.1}\" \
             text-anchor=\"middle\">{3:.0} %</text>",
            x(share),
            height - 22.0,
            height - 6.0,
            share * 100.0
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let y = at as f64 * step + 2.0;
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"0\" y=\"{0:.1}\">{1}</text><text x=\"{WIDTH}\" y=\"{0:.1}\" text-anchor=\"end\">{2}</text>",
            y + 15.0,
            esc(&cut(&row.label, left - 10.0)),
            esc(&row.n)
        );
        let mut from = 0.0;
        for (share, class) in row.shares.iter().zip(classes).filter(|(share, _)| **share > 0.0) {
            let _ = write!(
                out,
                "<rect class=\"part {class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{} %</title></rect>",
                x(from),
                y + 3.0,
                x(*share) - left,
                step - 6.0,
                percent(Some(*share))
            );
            from += share;
        }
    }
    figure(title, height, &out, &keys(parts.into_iter().zip(classes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_covers_its_values_and_begins_at_nothing() {
        let axis = Axis::over([0.83, -0.12].into_iter(), [0.0, 0.1], [100.0, 700.0]).unwrap();
        assert!(axis.at(-0.12) >= 100.0 && axis.at(0.83) <= 700.0, "values lie on it: {:?}", axis.ticks);
        assert_eq!(axis.upright(50.0, two).matches("class=\"zero\"").count(), 1, "zero is marked once");
        assert!(Axis::over(std::iter::empty(), [0.0, 0.1], [0.0, 1.0]).is_none(), "no values, no axis");
    }

    #[test]
    fn a_name_is_cut_only_without_room() {
        let row = |label: &str| Estimate {
            label: label.to_owned(),
            n: "24".to_owned(),
            value: Some(0.1),
            ci95: Some([-0.2, 0.4]),
        };
        let svg = forest("t", &[row("gemini-3-flash-preview – judge-2")], two);
        assert!(svg.contains(">gemini-3-flash-preview – judge-2<"), "there is room: {svg}");
        assert!(svg.contains("0.10 (−0.20 to 0.40)"), "with its figures: {svg}");
        assert!(forest("t", &[row(&"x".repeat(90))], two).contains("x…<"), "and cut where there is none");
        assert_eq!(cut("abcdef", 3.0 * 6.8 + 0.1), "ab…", "to what fits");
    }
}
