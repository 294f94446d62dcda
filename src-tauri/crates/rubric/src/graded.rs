//! Were these grades given by this rubric? A run keeps the texts it was graded by, the dataset may have moved on
//! (MMI quirk Q19); such grades are shown and scored as they are, and said to be of another rubric.

use domain::{Criterion, Grade};
use unicode_normalization::UnicodeNormalization;

/// How the grades of a row differ from a rubric.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherRubric {
    /// 1-based positions of grades whose criterion the rubric has not at that place, in ascending order.
    pub changed: Vec<u32>,
    /// How many criteria of the rubric have no grade.
    pub ungraded: usize,
}

/// The words of a criterion, by which two of several prompts are one: after NFC, without space around them.
pub fn words(criterion: &str) -> String {
    criterion.trim().nfc().collect()
}

/// Is this grade of that rubric: the same text about the same modality at its 1-based place? Ids do not matter.
pub fn is_of(grade: &Grade, rubric: &[Criterion]) -> bool {
    let at = usize::try_from(grade.index).unwrap_or(0).checked_sub(1);
    at.and_then(|at| rubric.get(at)).is_some_and(|criterion| {
        criterion.criterion.trim() == grade.criterion.trim() && Some(criterion.modality) == grade.modality
    })
}

/// How `grades` (all those of a row, in any order) differ from `rubric`; none when they are of it. A row without
/// grades differs from nothing.
pub fn other_rubric(grades: &[Grade], rubric: &[Criterion]) -> Option<OtherRubric> {
    let mut changed: Vec<u32> = grades.iter().filter(|g| !is_of(g, rubric)).map(|g| g.index).collect();
    changed.sort_unstable();
    changed.dedup();
    let graded: std::collections::BTreeSet<u32> = grades.iter().map(|g| g.index).collect();
    let ungraded = (1..=rubric.len()).filter(|at| !graded.iter().any(|g| *g as usize == *at)).count();
    (!grades.is_empty() && (!changed.is_empty() || ungraded > 0)).then_some(OtherRubric { changed, ungraded })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Modality, PayloadStatus};

    fn criterion(text: &str, modality: Modality) -> Criterion {
        Criterion { id: "1".to_owned(), criterion: text.to_owned(), modality }
    }

    fn grade(index: u32, text: &str, modality: Modality) -> Grade {
        Grade {
            index,
            id: "other id".to_owned(),
            criterion: text.to_owned(),
            modality: Some(modality),
            modality_raw: modality.name().to_owned(),
            score: 1.0,
            explanation: String::new(),
            evaluator_error: false,
            payload: PayloadStatus::Gradeable,
            input_media_skipped: Vec::new(),
        }
    }

    #[test]
    fn place_text_and_modality_decide_and_the_id_does_not() {
        let rubric = [criterion("Names Rome.", Modality::Text), criterion("Shows Rome.", Modality::Image)];
        let same = [grade(2, "Shows Rome. ", Modality::Image), grade(1, "Names Rome.", Modality::Text)];
        assert_eq!(
            other_rubric(&same, &rubric),
            None,
            "the order of grades and blanks at the end do not count"
        );
        let other = |grades: &[Grade]| other_rubric(grades, &rubric).map(|o| (o.changed, o.ungraded));
        assert_eq!(other(&same[..1]), Some((vec![], 1)), "one criterion has no grade");
        let text = [grade(1, "Names Paris.", Modality::Text), same[0].clone()];
        assert_eq!(other(&text), Some((vec![1], 0)), "another text");
        let modality = [grade(1, "Names Rome.", Modality::Audio), same[0].clone()];
        assert_eq!(other(&modality), Some((vec![1], 0)), "another modality");
        let swapped = [grade(2, "Names Rome.", Modality::Text), grade(1, "Shows Rome.", Modality::Image)];
        assert_eq!(other(&swapped), Some((vec![1, 2], 0)), "other places");
        let more = [same[0].clone(), same[1].clone(), grade(3, "More.", Modality::Text)];
        assert_eq!(other(&more), Some((vec![3], 0)), "a criterion that is gone");
        assert_eq!(other(&[grade(0, "Names Rome.", Modality::Text)]), Some((vec![0], 2)), "place 0 is none");
        assert_eq!(other(&[]), None, "nothing graded, nothing different");
    }
}
