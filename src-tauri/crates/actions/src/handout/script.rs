//! In which script a text is written, for balancing prompts whose language nobody says. No guess at a language.

/// Scripts by their ranges (the blocks of their letters), with their tags.
const SCRIPTS: [(&str, &[(u32, u32)]); 14] = [
    ("und-Latn", &[(0x41, 0x5a), (0x61, 0x7a), (0xc0, 0x24f), (0x1e00, 0x1eff)]),
    ("und-Grek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)]),
    ("und-Cyrl", &[(0x400, 0x52f)]),
    ("und-Armn", &[(0x530, 0x58f)]),
    ("und-Hebr", &[(0x590, 0x5ff)]),
    ("und-Arab", &[(0x600, 0x6ff), (0x750, 0x77f), (0xfb50, 0xfdff), (0xfe70, 0xfefc)]),
    ("und-Deva", &[(0x900, 0x97f)]),
    ("und-Beng", &[(0x980, 0x9ff)]),
    ("und-Taml", &[(0xb80, 0xbff)]),
    ("und-Thai", &[(0xe00, 0xe7f)]),
    ("und-Geor", &[(0x10a0, 0x10ff)]),
    ("und-Jpan", &[(0x3040, 0x30ff)]),
    ("und-Hang", &[(0x1100, 0x11ff), (0xac00, 0xd7a3)]),
    ("und-Hani", &[(0x3400, 0x4dbf), (0x4e00, 0x9fff), (0x20000, 0x3134f)]),
];

/// The tag of the script that most letters of a text are of; `und` for a text without any. A text with kana is Japanese,
/// however many of its signs are Chinese.
pub(super) fn tag(text: &str) -> &'static str {
    let mut counts = [0_usize; SCRIPTS.len()];
    for c in text.chars() {
        let code = u32::from(c);
        let found =
            SCRIPTS.iter().position(|(_, all)| all.iter().any(|(from, to)| (*from..=*to).contains(&code)));
        if let Some(at) = found {
            counts[at] += 1;
        }
    }
    let place = |tag: &str| SCRIPTS.iter().position(|(other, _)| *other == tag).unwrap_or_default();
    let (kana, signs) = (place("und-Jpan"), place("und-Hani"));
    if counts[kana] > 0 {
        counts[kana] += counts[signs];
        counts[signs] = 0;
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    if most == 0 {
        return "und";
    }
    counts.iter().position(|count| *count == most).map_or("und", |at| SCRIPTS[at].0)
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn the_script_of_most_letters() {
        assert_eq!(tag("Draw a bridge, 3 arches."), "und-Latn");
        assert_eq!(tag("Нарисуй мост (PNG)"), "und-Cyrl");
        assert_eq!(tag("画一座桥"), "und-Hani");
        assert_eq!(tag("橋を描いてください"), "und-Jpan", "kana among the signs");
        assert_eq!(tag("다리를 그려라"), "und-Hang");
        assert_eq!(tag("ارسم جسرا"), "und-Arab");
        assert_eq!(tag("3 + 4 = ?"), "und", "no letter");
    }
}
