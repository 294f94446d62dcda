//! Does an order or a time tell models apart? Asked of the order of a judge's tasks, and of the times that files say they
//! were made at.

use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// Shuffles that an order is compared with.
const SHUFFLES: u32 = 5_000;
/// Longer queues are thinned to this many places.
const PLACES: usize = 1_000;
/// Fewer than this of a model say nothing.
const FEWEST: usize = 3;

/// Random numbers that are the same every time.
struct Draw([u8; 32], usize);
impl Draw {
    fn below(&mut self, n: usize) -> usize {
        if self.1 + 8 > 32 {
            self.0 = Sha256::digest(self.0).into();
            self.1 = 0;
        }
        let bytes: [u8; 8] = self.0[self.1..self.1 + 8].try_into().unwrap_or_default();
        self.1 += 8;
        usize::try_from(u64::from_le_bytes(bytes) % n.max(1) as u64).unwrap_or(0)
    }
}

/// How often neighbours are of one model, and how far the models' mean places lie apart.
fn figures(order: &[usize], models: usize) -> (usize, f64) {
    let same = order.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let mut sums = vec![(0.0, 0.0); models];
    for (place, model) in order.iter().enumerate() {
        sums[*model].0 += place as f64;
        sums[*model].1 += 1.0;
    }
    let middle = (order.len() as f64 - 1.0) / 2.0;
    let apart = sums.iter().map(|(sum, n)| n * (sum / n - middle).powi(2)).sum();
    (same, apart)
}

/// Why the order of these models is no chance; none when it may be. One in some thousand honest orders is suspected.
pub(super) fn suspicious(order: &[String]) -> Option<String> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for model in order {
        let next = numbers.len();
        numbers.entry(model).or_insert(next);
    }
    if numbers.len() < 2 || order.len() < 8 {
        return None;
    }
    let step = order.len().div_ceil(PLACES);
    let mut places: Vec<usize> =
        order.iter().step_by(step).filter_map(|model| numbers.get(model.as_str()).copied()).collect();
    let models = numbers.len();
    let (same, apart) = figures(&places, models);
    let (mut as_many, mut as_few, mut as_far) = (0_u32, 0_u32, 0_u32);
    let mut draw = Draw([7; 32], 32);
    for _ in 0..SHUFFLES {
        for n in (1..places.len()).rev() {
            let other = draw.below(n + 1);
            places.swap(n, other);
        }
        let (s, a) = figures(&places, models);
        as_many += u32::from(s >= same);
        as_few += u32::from(s <= same);
        as_far += u32::from(a >= apart);
    }
    if as_many == 0 {
        Some("responses of one model lie together".to_owned())
    } else if as_few == 0 {
        Some("the models take turns".to_owned())
    } else if as_far == 0 {
        Some("some models come earlier than others".to_owned())
    } else {
        None
    }
}

/// Models of which every file was made before any file of another, by the times that the files themselves name.
pub(super) fn apart_in_time(times: &BTreeMap<String, Vec<String>>) -> Option<(String, String)> {
    let ends = |times: &Vec<String>| Some((times.iter().min()?.clone(), times.iter().max()?.clone()));
    for (a, of_a) in times {
        for (b, of_b) in times {
            if a != b && of_a.len() >= FEWEST && of_b.len() >= FEWEST {
                let ((_, last), (first, _)) = (ends(of_a)?, ends(of_b)?);
                if last < first {
                    return Some((a.clone(), b.clone()));
                }
            }
        }
    }
    None
}

/// The times in a text, as their digits: `2026:06:12 09:30:15`, `2026-06-12T09:30:15`, `D:20260612093015`.
pub(super) fn times(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut pos = 0;
    while pos < bytes.len() {
        if !bytes[pos].is_ascii_digit() || (pos > 0 && bytes[pos - 1].is_ascii_digit()) {
            pos += 1;
            continue;
        }
        let mut digits = String::new();
        let mut end = pos;
        while end < bytes.len() && digits.len() < 14 {
            match bytes[end] {
                b if b.is_ascii_digit() => digits.push(char::from(b)),
                b':' | b'-' | b' ' | b'T' | b'/' if !digits.is_empty() => {}
                _ => break,
            }
            end += 1;
        }
        let year = digits.get(..4).and_then(|year| year.parse::<u32>().ok()).unwrap_or(0);
        let month = digits.get(4..6).and_then(|month| month.parse::<u32>().ok()).unwrap_or(0);
        if digits.len() == 14 && (2000..2100).contains(&year) && (1..=12).contains(&month) {
            found.push(digits);
        }
        pos = end.max(pos + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_turns_and_drifts_are_found_and_chance_is_not() {
        let of = |f: &dyn Fn(usize) -> usize| (0..72).map(|n| format!("m{}", f(n))).collect::<Vec<_>>();
        assert!(suspicious(&of(&|n| n / 24)).is_some(), "one model after the other");
        assert!(suspicious(&of(&|n| n % 3)).is_some(), "models in turn");
        assert!(suspicious(&of(&|n| usize::from(n > 35) * 2 + n * 7 % 2)).is_some(), "two first, two later");
        // By the digits of √2, which know of no model.
        let digits = "141421356237309504880168872420969807856967187537694807317667973799073247";
        let chance: Vec<String> = digits.bytes().map(|b| format!("m{}", (b - b'0') % 3)).collect();
        assert_eq!(suspicious(&chance), None, "a shuffled order says nothing");
        assert_eq!(suspicious(&vec!["m".to_owned(); 50]), None, "nor does one model alone");
    }

    #[test]
    fn times_are_read_as_files_write_them() {
        assert_eq!(times("made 2026:06:12 09:30:15 by"), ["20260612093015"], "EXIF");
        assert_eq!(times("<dcterms:created>2026-06-12T09:30:15Z<"), ["20260612093015"], "Office and XMP");
        assert_eq!(times("/CreationDate (D:20260612093015+02'00')"), ["20260612093015"], "PDF");
        assert!(times("12345678901234567890 in 1234").is_empty(), "a long number is no time");
    }
}
