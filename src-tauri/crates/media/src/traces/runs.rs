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

fn push(out: &mut String, run: &str, shortest: usize) {
    if run.chars().count() >= shortest {
        out.push_str(run);
        out.push('\n');
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
