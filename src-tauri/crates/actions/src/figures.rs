//! Numbers as people read them, in the report and on the command line; rounded as the screens round them.

/// What stands where a number is not defined.
pub const NONE: &str = "–";

/// `value` with this many decimals. A half goes away from zero, as it does on screen (the standard library takes it to the even
/// neighbour); a zero has no minus.
#[must_use]
pub fn fixed(value: f64, decimals: u8) -> String {
    let places = i32::from(decimals);
    // A value that lies halfway has one binary place more than it has decimals, so that these products are exact.
    let halves = value * 2_f64.powi(places + 1);
    let halfway = halves.fract() == 0.0 && (halves * 5_f64.powi(places)) % 2.0 != 0.0;
    let value = match (halfway, value > 0.0) {
        (false, _) => value,
        (true, true) => value.next_up(),
        (true, false) => value.next_down(),
    };
    let text = format!("{value:.*}", usize::from(decimals));
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// A share in per cent with one decimal.
#[must_use]
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| fixed(share * 100.0, 1))
}

/// A coefficient with two decimals.
#[must_use]
pub fn two(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| fixed(value, 2))
}

/// An interval by `show`; none where there is none.
#[must_use]
pub fn interval(ends: Option<[f64; 2]>, show: fn(Option<f64>) -> String) -> Option<String> {
    ends.map(|[low, high]| format!("{} to {}", show(Some(low)), show(Some(high))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_as_the_screens_round_them() {
        let rounded =
            [(81.25, 1), (81.35, 1), (0.125, 2), (-0.125, 2), (1.005, 2), (0.5, 0), (2.5, 0), (0.0625, 3)]
                .map(|(value, decimals)| fixed(value, decimals));
        // 81.35 and 1.005 lie below the half: 81.349999… and 1.00499…
        assert_eq!(
            rounded,
            ["81.3", "81.3", "0.13", "-0.13", "1.00", "1", "3", "0.063"],
            "as toFixed gives them"
        );
    }

    #[test]
    fn a_zero_has_no_minus() {
        assert_eq!(
            [fixed(-0.001, 2), fixed(-0.0, 1), fixed(-0.06, 1)],
            ["0.00", "0.0", "-0.1"],
            "but a tenth has"
        );
    }

    #[test]
    fn an_interval_that_reaches_below_zero_stays_readable() {
        assert_eq!(
            interval(Some([-0.207, -0.027]), two).as_deref(),
            Some("-0.21 to -0.03"),
            "no dash before a minus"
        );
        assert_eq!(interval(None, two), None, "and none is none");
    }
}
