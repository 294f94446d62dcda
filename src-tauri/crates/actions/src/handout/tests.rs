//! What belongs here: who gets what, over items made up for it.

use super::*;

fn people(n: usize) -> Vec<PersonName> {
    (0..n).map(|n| format!("p{n}").parse().unwrap()).collect()
}

/// `n` items; every one expects text, every second a picture, every fifth a video.
fn items(n: usize) -> Vec<Item> {
    (0..n)
        .map(|n| {
            let mut labels = vec!["Text".to_owned()];
            if n % 2 == 0 {
                labels.push("Image".to_owned());
            }
            if n % 5 == 0 {
                labels.push("Video".to_owned());
            }
            let subject = format!("r{n}");
            Item {
                draw: lot(1, "draw", &subject),
                prompt: format!("q{}", n / 3),
                kinds: labels.clone(),
                labels,
                handout: Handout { subject, version: 1 },
            }
        })
        .collect()
}

fn nothing(people: &[PersonName]) -> Vec<HashSet<String>> {
    vec![HashSet::new(); people.len()]
}

#[test]
fn everybody_gets_as_much_of_everything() {
    let (items, people) = (items(72), people(6));
    let (own, short) = spread(&items, &people, &nothing(&people), &nothing(&people), 2, 7);
    assert_eq!(short, 0, "six people are enough for two an item");
    let mut holders: HashMap<&str, usize> = HashMap::new();
    for handout in own.iter().flatten() {
        *holders.entry(&handout.subject).or_default() += 1;
    }
    assert_eq!(holders.len(), 72, "every item is handed out");
    assert!(holders.values().all(|n| *n == 2), "to two people each, who differ");
    let of = |own: &[Handout], label: &str| {
        let is = |h: &&Handout| items.iter().any(|i| i.handout == **h && i.labels.iter().any(|l| l == label));
        own.iter().filter(is).count()
    };
    // 2 × 72 / 6 = 24 items, 2 × 36 / 6 = 12 pictures, 2 × 15 / 6 = 5 videos.
    for own in &own {
        assert_eq!(own.len(), 24, "the same number of items");
        assert!((11..=13).contains(&of(own, "Image")), "pictures within one of 12: {}", of(own, "Image"));
        assert_eq!(of(own, "Video"), 5, "the same number of videos, which are rarest");
    }
}

#[test]
fn handing_out_again_adds_nothing_and_further_items_spread_over_what_is_there() {
    let (all, people) = (items(30), people(3));
    let (first, _) = spread(&all[..20], &people, &nothing(&people), &nothing(&people), 2, 7);
    let have: Vec<HashSet<String>> =
        first.iter().map(|own| own.iter().map(|h| h.subject.clone()).collect()).collect();
    let (again, _) = spread(&all[..20], &people, &have, &nothing(&people), 2, 7);
    assert!(again.iter().all(Vec::is_empty), "nothing is handed out twice");
    let (more, _) = spread(&all, &people, &have, &nothing(&people), 2, 7);
    assert_eq!(more.iter().map(Vec::len).sum::<usize>(), 20, "ten more items, two people each");
    for (had, more) in have.iter().zip(&more) {
        assert!(more.iter().all(|h| !had.contains(&h.subject)), "to nobody who had it");
        assert_eq!(had.len() + more.len(), 20, "and 2 × 30 / 3 = 20 each in all");
    }
}

#[test]
fn nobody_judges_what_they_wrote_a_rubric_for() {
    let (items, people) = (items(30), people(2));
    let mut barred = nothing(&people);
    barred[0].insert("q0".to_owned());
    let (own, short) = spread(&items, &people, &nothing(&people), &barred, 2, 7);
    let of =
        |who: usize| own[who].iter().filter(|h| ["r0", "r1", "r2"].contains(&h.subject.as_str())).count();
    assert_eq!((of(0), of(1)), (0, 3), "the three responses to q0 go to the other person alone");
    assert_eq!(short, 3, "and it is said that they have one person instead of two");
}

#[test]
fn a_share_is_drawn_of_each_kind_alike() {
    let chosen = choose(items(100), 0.3);
    assert_eq!(chosen.len(), 30, "30 of 100");
    let of = |label: &str| chosen.iter().filter(|i| i.labels.iter().any(|l| l == label)).count();
    // 100 items: 50 with a picture, 20 with a video, 10 with both; 30 % of them are 15, 6 and 3.
    assert_eq!((of("Image"), of("Video")), (15, 6), "as in the whole");
}

#[test]
fn a_reservation_ends_at_a_time_that_lies_ahead() {
    let now = "2026-11-30T12:00:00.000Z";
    let end = |text: &str| end_of(text, now).ok();
    assert_eq!(end("2026-12-01").as_deref(), Some("2026-12-01T23:59:59.999Z"), "a day counts to its end");
    assert_eq!(end("2026-11-30").as_deref(), Some("2026-11-30T23:59:59.999Z"), "today, too");
    assert_eq!(end("2026-11-30T12:00:01Z").as_deref(), Some("2026-11-30T12:00:01.000Z"), "a time in UTC");
    for wrong in
        ["2026-11-29", "2026-11-30T12:00:00Z", "2026-13-01", "tomorrow", "2026-12-01T18:00:00+01:00", ""]
    {
        assert_eq!(end(wrong), None, "{wrong:?}: over, or no time in UTC");
    }
}
