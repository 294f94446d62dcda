//! The text of a page in the order in which it is read. A PDF paints right-to-left words from left to right, so that what
//! is taken from it letter by letter comes reversed.

use unicode_normalization::UnicodeNormalization;

/// The lines of a page, each from the order of painting to the order of reading. A line runs as most of its letters do;
/// words of the other direction keep their order within it.
pub(super) fn reading_order(page: &str) -> String {
    let lines: Vec<String> = page.split('\n').map(turned).collect();
    lines.join("\n").chars().flat_map(spelled).collect()
}

/// Ligatures and the shapes of Arabic letters by their place in a word (Unicode blocks FB00 and FE70) as the letters that
/// they stand for; others as they are.
fn spelled(c: char) -> impl Iterator<Item = char> {
    let shape = matches!(c, '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}');
    let (letters, same) = if shape { (Some(c.nfkc()), None) } else { (None, Some(c)) };
    letters.into_iter().flatten().chain(same)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Left,
    Right,
    /// Digits, which run from left to right in any text.
    Number,
    /// Spaces and marks, which go with what surrounds them.
    Neither,
}

fn way(c: char) -> Way {
    match c {
        '\u{590}'..='\u{5ff}'
        | '\u{600}'..='\u{65f}'
        | '\u{66a}'..='\u{6ef}'
        | '\u{6fa}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}' => Way::Right,
        _ if c.is_numeric() => Way::Number,
        _ if c.is_alphabetic() => Way::Left,
        _ => Way::Neither,
    }
}

/// One line: stretches of right-to-left letters are reversed, and what runs from left to right in them is put back.
fn turned(line: &str) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let of = |wanted: Way| letters.iter().filter(|c| way(**c) == wanted).count();
    let right = of(Way::Right);
    if right == 0 {
        return line.to_owned();
    }
    if right > of(Way::Left) {
        letters.reverse();
        let left = |c: char| matches!(way(c), Way::Left | Way::Number);
        for at in stretches(&letters, left, |c| way(c) == Way::Neither) {
            if letters[at.clone()].iter().any(|c| way(*c) == Way::Left) {
                letters[at].reverse();
            } else {
                put_numbers_back(&mut letters[at]);
            }
        }
    } else {
        let within = |c: char| matches!(way(c), Way::Neither | Way::Number);
        for at in stretches(&letters, |c| way(c) == Way::Right, within) {
            letters[at.clone()].reverse();
            put_numbers_back(&mut letters[at]);
        }
    }
    letters.into_iter().collect()
}

/// Digits with the marks between them (`3,5`, `12:30`) run from left to right everywhere.
fn put_numbers_back(letters: &mut [char]) {
    let mark = |c: char| way(c) == Way::Neither && !c.is_whitespace();
    for at in stretches(letters, |c| way(c) == Way::Number, mark) {
        letters[at].reverse();
    }
}

/// Where letters of one kind stand, each as far as the last of them that only letters `within` part from it.
fn stretches(
    letters: &[char],
    own: impl Fn(char) -> bool,
    within: impl Fn(char) -> bool,
) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut open = false;
    for (at, &letter) in letters.iter().enumerate() {
        if own(letter) {
            match found.last_mut().filter(|_| open) {
                Some(last) => last.end = at + 1,
                None => found.push(at..at + 1),
            }
            open = true;
        } else {
            open &= within(letter);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::reading_order;

    #[test]
    fn right_to_left_lines_are_read_from_their_right_end() {
        // As painted: the letters of each line from the left edge to the right.
        assert_eq!(reading_order("םלוע םולש"), "שלום עולם", "a line of Hebrew");
        assert_eq!(
            reading_order("סיריק תנשב PDF 1.7 ץבוק 2024"),
            "2024 קובץ PDF 1.7 בשנת קיריס",
            "words of Latin letters and numbers keep theirs"
        );
        assert_eq!(reading_order("12:30 העשב"), "בשעה 12:30", "a time");
    }

    #[test]
    fn shapes_of_letters_are_the_letters() {
        // مرحبا لا as painted, each letter in the shape of its place; the last two are one ligature.
        let painted = "\u{fefb} \u{fe8e}\u{fe92}\u{fea3}\u{fe8d}\u{fee3}";
        assert_eq!(reading_order(painted), "ماحبا لا", "Arabic");
        assert_eq!(reading_order("\u{fb01}le of x²"), "file of x²", "a ligature, and no other look");
    }

    #[test]
    fn a_few_right_to_left_words_do_not_turn_a_line() {
        assert_eq!(reading_order("The word םולש means peace"), "The word שלום means peace", "one word");
        assert_eq!(
            reading_order("two words: םלוע 25 םולש, then more"),
            "two words: שלום 25 עולם, then more",
            "a number among them"
        );
        let plain = "No such letter, 3 × 4 = 12\nline";
        assert_eq!(reading_order(plain), plain, "nothing to turn");
    }
}
