//! Who may judge what: states worked out by hand, intervals from published tables of the binomial distribution.
#![allow(clippy::unwrap_used, missing_docs)]

use agreement::{
    Doubt, GoldAccuracy, Qualification, QualificationEvent, QualificationReason, qualification,
    retest_agreement,
};
use domain::{QualificationMove, QualificationRules, QualificationState};

/// Two of two to enter, three of four to stay.
fn rules() -> QualificationRules {
    QualificationRules {
        entry_golds: 2,
        entry_accuracy: 0.95,
        window: 4,
        keep_accuracy: 0.75,
        ..QualificationRules::default()
    }
}

/// `q`/`Q`: a quiz failed or passed; `.`/`x`: a known job right or wrong; `P`, `R`, `A`: a lead pauses, has it shown again, admits.
fn after(story: &str, rules: &QualificationRules) -> Qualification {
    let events: Vec<QualificationEvent> = story
        .chars()
        .map(|c| match c {
            'q' | 'Q' => QualificationEvent::Quiz { passed: c == 'Q' },
            '.' | 'x' => QualificationEvent::Gold { correct: c == '.' },
            'P' => QualificationEvent::Change(QualificationMove::Pause),
            'R' => QualificationEvent::Change(QualificationMove::Recertify),
            _ => QualificationEvent::Change(QualificationMove::Admit),
        })
        .collect();
    qualification(&events, rules)
}

#[test]
fn a_newcomer_fails_the_quiz_passes_enters_is_paused_and_shows_it_again() {
    use QualificationReason::{BelowMark, EntryMissed, FewGolds, GoldsRight, QuizOpen};
    use QualificationState::{Learning, Live, Paused, Recertify};
    for (story, state, reason) in [
        ("", Learning, QuizOpen),
        ("q", Learning, QuizOpen),
        ("qQ", Learning, FewGolds),
        ("qQ.", Learning, FewGolds),
        ("qQ.x", Learning, EntryMissed),
        // The last two count.
        ("qQ.x.", Learning, EntryMissed),
        ("qQ.x..", Live, GoldsRight),
        ("qQ..", Live, GoldsRight),
        // Three right of four are the mark, two are below it; three are no full window.
        ("qQ..x", Live, GoldsRight),
        ("qQ..x.", Live, GoldsRight),
        ("qQ..xx", Paused, BelowMark),
        ("qQ..x.x", Paused, BelowMark),
        // What is answered while paused changes nothing.
        ("qQ..xx....", Paused, BelowMark),
        ("qQ..xxQ", Paused, BelowMark),
        ("qQ..xx....R", Recertify, QuizOpen),
        ("qQ..xxR..", Recertify, QuizOpen),
        ("qQ..xxRq..", Recertify, QuizOpen),
        ("qQ..xxRQ", Recertify, FewGolds),
        ("qQ..xxRQ.x", Recertify, EntryMissed),
        ("qQ..xxRQ..", Live, GoldsRight),
        // And the window begins anew.
        ("qQ..xxRQ..x", Live, GoldsRight),
        ("qQ..xxRQ..xx", Paused, BelowMark),
    ] {
        let found = after(story, &rules());
        assert_eq!((found.state, found.reason), (state, reason), "after {story:?}");
    }
}

#[test]
fn a_lead_decides_by_hand() {
    use QualificationState::{Live, Paused, Recertify};
    let found = after("A", &rules());
    assert_eq!((found.state, found.reason), (Live, QualificationReason::ByHand), "admitted without a quiz");
    assert_eq!(after("A..xx", &rules()).state, Paused, "and held to the same mark");
    assert_eq!(after("A.P", &rules()).state, Paused, "paused by hand");
    assert_eq!(after("A.PA", &rules()).state, Live, "and admitted again");
    let no_quiz_again = QualificationRules { quiz_again: false, ..rules() };
    assert_eq!(after("A.PR..", &no_quiz_again).state, Live, "known jobs alone");
    assert_eq!(after("A.PR.", &no_quiz_again).state, Recertify, "two of them");
    let no_quiz = QualificationRules { quiz: false, ..rules() };
    assert_eq!(after("..", &no_quiz).state, Live, "a study without a quiz");
}

#[test]
fn what_is_in_doubt_begins_before_the_window_that_failed() {
    let doubt = |story: &str| after(story, &rules()).doubt;
    assert_eq!(doubt("Q."), Doubt::Everything, "a learner's work has shown nothing yet");
    assert_eq!(doubt("Q...."), Doubt::Nothing, "a full window is right");
    // Places: Q 0, then the known jobs from 1 on. The window that fails is 4 to 7: the one before it ends at 3.
    assert_eq!(doubt("Q.....xx"), Doubt::Since(3), "since the job before the window that failed");
    assert_eq!(doubt("Q..xx"), Doubt::Everything, "there was none before");
    assert_eq!(doubt("Q.....xxR"), Doubt::Since(3), "until it is shown again");
    assert_eq!(doubt("Q.....xxRQ.."), Doubt::Nothing, "then no longer");
    // R lies at 8, Q at 9, and the window that fails at 10 to 13.
    assert_eq!(doubt("Q.....xxRQ..xx"), Doubt::Since(8), "a second time, since it began anew");
    assert_eq!(doubt("Q......P"), Doubt::Since(2), "paused by hand: 3 to 6 are the last window");
}

#[test]
fn the_window_rolls_and_has_an_exact_interval() {
    let found = after("Q..........x", &QualificationRules { window: 10, ..rules() });
    assert_eq!((found.window.answered.get(), found.window.right.get(), found.since), (10, 9, 11));
    let [low, high] = found.window.accuracy.ci95.unwrap();
    // 9 of 10: 0.5550 to 0.9975 (Clopper and Pearson 1934; also any table of exact binomial limits).
    assert!((low - 0.5550).abs() < 5e-5 && (high - 0.9975).abs() < 5e-5, "{low} to {high}");
    let none = after("Q", &rules()).window.accuracy;
    assert!(none.value.is_none() && none.ci95.is_none(), "nothing was answered");
    assert_eq!(none.undefined.as_deref(), Some("no job with a known answer was answered"));
    let all = GoldAccuracy::of(&[true; 20], 0.95).accuracy.ci95.unwrap();
    // 0.025^(1/20)
    assert!((all[0] - 0.831_566_529_016_9).abs() < 1e-9 && all[1] >= 1.0, "20 of 20: {all:?}");
}

#[test]
fn test_and_retest() {
    let found = retest_agreement(8, 10, 0.95);
    let [low, high] = found.ci95.unwrap();
    // 8 of 10: 0.4439 to 0.9748.
    assert!((low - 0.4439).abs() < 5e-5 && (high - 0.9748).abs() < 5e-5, "{low} to {high}");
    assert!((found.value.unwrap() - 0.8).abs() < 1e-12);
    let none = retest_agreement(0, 0, 0.95);
    assert_eq!((none.value, none.undefined.as_deref()), (None, Some("no job was given twice")));
}

#[test]
fn defaults_are_those_of_the_paper() {
    let rules = QualificationRules::default();
    assert!((rules.quiz_pass - 0.9).abs() < 1e-12 && (rules.entry_accuracy - 0.95).abs() < 1e-12);
    assert_eq!(rules.problem(), None, "they can be asked for");
    // 19 of 20 enter, 18 do not; 18 of 20 stay, 17 do not.
    let story = |right: usize, wrong: usize| format!("Q{}{}", "x".repeat(wrong), ".".repeat(right));
    assert_eq!(after(&story(19, 1), &rules).state, QualificationState::Live);
    assert_eq!(after(&story(18, 2), &rules).state, QualificationState::Learning);
    let later = |wrong: usize| format!("Q{}{}", ".".repeat(20), "x".repeat(wrong));
    assert_eq!(after(&later(2), &rules).state, QualificationState::Live);
    assert_eq!(after(&later(3), &rules).state, QualificationState::Paused);
    assert!(QualificationRules { window: 0, ..rules }.problem().is_some(), "no window of nothing");
    assert!(QualificationRules { keep_accuracy: 1.5, ..rules }.problem().is_some(), "no share above 1");
}
