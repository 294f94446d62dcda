//! Wall time, for display only: order is `seq` and `parents`.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as RFC 3339 in UTC with milliseconds: `2026-03-01T09:30:00.250Z`.
pub fn now() -> String {
    // A clock before 1970 is displayed as 1970; nothing depends on it.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc3339(since.as_secs(), since.subsec_millis())
}

/// Days to a date by the era arithmetic of the proleptic Gregorian calendar: 400 years are 146,097 days, and years
/// that begin in March put the leap day last.
fn rfc3339(seconds: u64, millis: u32) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (h, m, s) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0, 0), "1970-01-01T00:00:00.000Z", "the epoch itself");
        assert_eq!(
            rfc3339(951_782_400, 7),
            "2000-02-29T00:00:00.007Z",
            "2000 was a leap year by the 400 rule"
        );
        assert_eq!(rfc3339(951_868_800, 0), "2000-03-01T00:00:00.000Z", "and February ended there");
        assert_eq!(rfc3339(4_107_542_399, 999), "2100-02-28T23:59:59.999Z", "2100 is none: next comes March");
        assert_eq!(rfc3339(4_107_542_400, 0), "2100-03-01T00:00:00.000Z", "one second later");
    }
}
