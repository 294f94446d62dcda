//! Letters by what they look like: a name that is written with a Cyrillic a, in mathematical script or with signs that nobody
//! sees between its letters is the same name to a reader, and to the search.

/// Is it a sign that leaves no mark of its own: joiners, marks of direction, soft hyphens, accents that stand by themselves,
/// choices of a glyph's form?
pub(super) const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{300}'..='\u{36f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0001}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// The letter of the Latin alphabet, or the digit, that a sign looks like; the sign itself where it looks like none.
pub(super) fn looks_like(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let code = u32::from(c);
    let of = |code: u32| char::from_u32(code).unwrap_or(c);
    let letter = |n: u32| if n < 26 { of(u32::from('A') + n) } else { of(u32::from('a') + n - 26) };
    match c {
        // Full-width signs, and the tags that nobody sees.
        '\u{ff01}'..='\u{ff5e}' => of(code - 0xfee0),
        '\u{e0020}'..='\u{e007e}' => of(code - 0xe0000),
        // Mathematical letters: styles of 52, then digits in styles of ten.
        '\u{1d400}'..='\u{1d6a3}' => letter((code - 0x1d400) % 52),
        '\u{1d7ce}'..='\u{1d7ff}' => of(u32::from('0') + (code - 0x1d7ce) % 10),
        // Letters in circles, in brackets, in squares.
        '\u{24b6}'..='\u{24e9}' => letter(code - 0x24b6),
        '\u{249c}'..='\u{24b5}' => letter(26 + code - 0x249c),
        '\u{1f130}'..='\u{1f149}' => letter(code - 0x1f130),
        '\u{1f150}'..='\u{1f169}' => letter(code - 0x1f150),
        '\u{1f170}'..='\u{1f189}' => letter(code - 0x1f170),
        '\u{2460}'..='\u{2468}' => of(u32::from('1') + code - 0x2460),
        '\u{2080}'..='\u{2089}' => of(u32::from('0') + code - 0x2080),
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => of(u32::from('4') + code - u32::from('⁴')),
        _ => alike(c),
    }
}

/// Latin letters with accents, and letters of other alphabets that look like Latin ones.
const fn alike(c: char) -> char {
    match c {
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' | 'А' | 'Α' => 'A',
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'а' | 'α' | 'ɑ' => 'a',
        'В' | 'Β' => 'B',
        'Ь' | 'ь' | 'Ƅ' => 'b',
        'Ç' | 'Ć' | 'Č' | 'С' | 'Ϲ' | 'Ⅽ' => 'C',
        'ç' | 'ć' | 'č' | 'с' | 'ϲ' | 'ⅽ' => 'c',
        'Ď' | 'Đ' | 'Ⅾ' => 'D',
        'ď' | 'đ' | 'ԁ' | 'ⅾ' => 'd',
        'È'..='Ë' | 'Ē' | 'Ė' | 'Ę' | 'Ě' | 'Е' | 'Ё' | 'Ε' => 'E',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'е' | 'ё' | 'ε' | 'є' => 'e',
        'Ϝ' => 'F',
        'ƒ' => 'f',
        'Ğ' | 'Ģ' | 'Ԍ' => 'G',
        'ğ' | 'ģ' | 'ɡ' => 'g',
        'Н' | 'Η' => 'H',
        'һ' | 'հ' => 'h',
        'Ì'..='Ï' | 'Ī' | 'Į' | 'İ' | 'І' | 'Ї' | 'Ι' | 'Ӏ' | 'Ⅰ' => 'I',
        'ì'..='ï' | 'ī' | 'į' | 'ı' | 'і' | 'ї' | 'ι' | 'ⅰ' => 'i',
        'Ј' => 'J',
        'ј' | 'ϳ' => 'j',
        'Ķ' | 'К' | 'Κ' | '\u{212a}' => 'K',
        'ķ' | 'к' | 'κ' => 'k',
        'Ļ' | 'Ł' | 'Ⅼ' => 'L',
        'ļ' | 'ł' | 'ӏ' | 'ⅼ' => 'l',
        'М' | 'Μ' | 'Ⅿ' => 'M',
        'м' | 'ⅿ' => 'm',
        'Ñ' | 'Ń' | 'Ň' | 'Ν' => 'N',
        'ñ' | 'ń' | 'ň' | 'ո' => 'n',
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ő' | 'О' | 'Ο' | 'Օ' => 'O',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' | 'о' | 'ο' | 'σ' | 'օ' => 'o',
        'Р' | 'Ρ' => 'P',
        'р' | 'ρ' => 'p',
        'Ԛ' => 'Q',
        'ԛ' => 'q',
        'Ř' | 'Ŕ' => 'R',
        'ř' | 'ŕ' | 'г' => 'r',
        'Ś' | 'Š' | 'Ş' | 'Ѕ' => 'S',
        'ś' | 'š' | 'ş' | 'ѕ' => 's',
        'Ť' | 'Т' | 'Τ' => 'T',
        'ť' | 'т' | 'τ' => 't',
        'Ù'..='Ü' | 'Ū' | 'Ű' | 'Ս' => 'U',
        'ù'..='ü' | 'ū' | 'ű' | 'υ' | 'ս' => 'u',
        'Ѵ' | 'Ⅴ' => 'V',
        'ѵ' | 'ν' | 'ⅴ' => 'v',
        'Ԝ' => 'W',
        'ԝ' | 'ω' => 'w',
        'Х' | 'Χ' | 'Ⅹ' => 'X',
        'х' | 'χ' | 'ⅹ' => 'x',
        'Ý' | 'Ÿ' | 'У' | 'Υ' | 'Ү' => 'Y',
        'ý' | 'ÿ' | 'у' | 'γ' | 'ү' => 'y',
        'Ź' | 'Ż' | 'Ž' | 'Ζ' => 'Z',
        'ź' | 'ż' | 'ž' => 'z',
        'З' => '3',
        'б' => '6',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        text.chars().filter(|c| !is_unseen(*c)).map(looks_like).collect()
    }

    #[test]
    fn what_looks_the_same_is_the_same() {
        assert_eq!(read("Quіllоn"), "Quillon", "a Cyrillic i and o");
        assert_eq!(read("Qυιllοn"), "Quillon", "Greek letters");
        assert_eq!(read("Ｑｕｉｌｌｏｎ ９"), "Quillon 9", "full-width");
        assert_eq!(read("𝐐𝓾𝒊𝕝𝗹𝘰𝚗 𝟗"), "Quillon 9", "mathematical styles");
        assert_eq!(read("Ⓠⓤⓘⓛⓛⓞⓝ ⑨"), "Quillon 9", "in circles");
        assert_eq!(read("Q\u{200b}u\u{ad}i\u{fe0f}l\u{2066}lon"), "Quillon", "signs that nobody sees");
        let tags: String = "Quillon".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        assert_eq!(read(&tags), "Quillon", "tags that nobody sees");
        assert_eq!(read("naïve Zürich"), "naive Zurich", "accents");
        assert_eq!(read("東京 ش"), "東京 ش", "other writing stays");
    }
}
