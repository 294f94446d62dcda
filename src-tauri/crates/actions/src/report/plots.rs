//! Plots of the report, as SVG that stands in the page: no script, no font and no picture from elsewhere. Colours come from the
//! page's styles, and no meaning rests on them alone.

use super::html::{esc, percent, two};
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

pub(super) fn short(text: &str, most: usize) -> String {
    if text.chars().count() > most {
        format!("{}…", text.chars().take(most - 1).collect::<String>())
    } else {
        text.to_owned()
    }
}

/// A row of a forest plot.
pub(super) struct Estimate {
    pub label: String,
    pub n: String,
    pub value: Option<f64>,
    pub ci95: Option<[f64; 2]>,
}

/// About five round steps that cover the range.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low).max(1e-9) / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw * 0.999).unwrap_or(raw);
    let (from, to) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some ten steps
    let steps = (to - from).clamp(0.0, 100.0) as u32;
    (0..=steps).map(|at| (from + f64::from(at)) * step).collect()
}

/// Values with their intervals on one scale.
pub(super) fn forest(title: &str, rows: &[Estimate], show: fn(Option<f64>) -> String) -> String {
    let all = || rows.iter().flat_map(|row| row.value.into_iter().chain(row.ci95.into_iter().flatten()));
    if all().next().is_none() {
        return String::new();
    }
    let ticks = ticks(all().fold(0.0, f64::min), all().fold(0.1, f64::max));
    let (first, last) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    let (left, right, step) = (200.0, 150.0, 24.0);
    let x = |v: f64| left + (v - first) / (last - first).max(1e-9) * (WIDTH - left - right);
    let height = rows.len() as f64 * step + 34.0;
    let mut out = String::new();
    for tick in &ticks {
        let class = if tick.abs() < 1e-9 { "zero" } else { "rule" };
        let _ = write!(
            out,
            "<line class=\"{class}\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"4\" y2=\"{1:.1}\"/><text x=\"{0:.1}\" y=\"{2:.1}\" \
             text-anchor=\"middle\">{3}</text>",
            x(*tick),
            height - 28.0,
            height - 12.0,
            show(Some(*tick)),
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let y = at as f64 * step + 4.0 + step / 2.0;
        let _ = write!(
            out,
            "<text class=\"ink\" x=\"0\" y=\"{0:.1}\">{1}</text><text x=\"{2:.1}\" y=\"{0:.1}\" text-anchor=\"end\">{3}</text>",
            y + 4.0,
            esc(&short(&row.label, if row.n.is_empty() { 29 } else { 24 })),
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
            row.ci95.map_or_else(
                || show(row.value),
                |[low, high]| format!("{} ({} – {})", show(row.value), show(Some(low)), show(Some(high)))
            ),
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
    let lowest = points.iter().filter_map(|p| p.scott_pi).fold(0.0, f64::min);
    let ticks = ticks(lowest, 1.0);
    let (low, high) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    let (height, left, right) = (280.0, 50.0, 20.0);
    let x = |t: f64| left + t * (WIDTH - left - right);
    let y = |v: f64| 12.0 + (high - v) / (high - low).max(1e-9) * (height - 56.0);
    let mut out = String::new();
    for tick in &ticks {
        let class = if tick.abs() < 1e-9 { "zero" } else { "rule" };
        let _ = write!(
            out,
            "<line class=\"{class}\" x1=\"{left}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" \
             text-anchor=\"end\">{4}</text>",
            WIDTH - right,
            y(*tick),
            left - 8.0,
            y(*tick) + 4.0,
            two(Some(*tick)),
        );
    }
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
            let class = ["agree", "first", "second"][if row == column { 0 } else { column + 1 }];
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
            esc(&short(&row.label, 32)),
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
    let mut legend = String::new();
    for (part, class) in parts.iter().zip(classes) {
        let _ = write!(
            legend,
            "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 20 12\" aria-hidden=\"true\"><rect class=\"part {class}\" \
             x=\"1\" y=\"1\" width=\"18\" height=\"10\"/></svg>{part}</span>"
        );
    }
    figure(title, height, &out, &format!("<p class=\"keys\">{legend}</p>"))
}
