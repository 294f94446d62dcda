//! Readable runs in bytes: ASCII and UTF-8, and UTF-16 of either byte order.

/// All runs of at least `shortest` characters, one a line.
pub(super) fn readable(bytes: &[u8], shortest: usize) -> String {
    let mut out = String::new();
    narrow(bytes, shortest, &mut out);
    for start in [0, 1] {
        wide(&bytes[start.min(bytes.len())..], shortest, &mut out);
    }
    out
}

/// So much of a run is looked at again without the code before it, in bytes.
const BEHIND_CODE: usize = 256;

fn push(out: &mut String, run: &str, shortest: usize) {
    if run.chars().count() < shortest {
        return;
    }
    out.push_str(run);
    out.push('\n');
    // Formats put a code of three or four letters right before a text (`TAG`, `udta`): what follows it is a run
    // too, so that its first word stands by itself.
    for code in [3, 4] {
        let Some((before, behind)) = run.split_at_checked(code) else { continue };
        if before.bytes().all(|b| b.is_ascii_alphanumeric()) && behind.starts_with(char::is_alphanumeric) {
            out.push_str(&behind[..behind.floor_char_boundary(BEHIND_CODE)]);
            out.push('\n');
        }
    }
}

fn narrow(bytes: &[u8], shortest: usize, out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        for run in chunk.valid().split(|c: char| c.is_control() && c != '\t') {
            push(out, run, shortest);
        }
    }
}

/// Both byte orders at once: pairs of a printable ASCII byte and a zero, whichever comes first.
fn wide(bytes: &[u8], shortest: usize, out: &mut String) {
    for zero_first in [false, true] {
        let mut run = String::new();
        for pair in bytes.chunks_exact(2) {
            let (zero, letter) = if zero_first { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            if zero == 0 && (letter == b' ' || letter.is_ascii_graphic()) {
                run.push(char::from(letter));
            } else {
                push(out, &run, shortest.max(3));
                run.clear();
            }
        }
        push(out, &run, shortest.max(3));
    }
}
