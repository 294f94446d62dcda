//! Means over rows: value, standard error and interval against what can be worked out by hand.

use agreement::{Options, Resampling, mean_with_interval};

const OPTIONS: Options = Options { resamples: 20_000, seed: 3, resampling: Resampling::Clusters };

#[test]
fn a_mean_of_single_rows_has_the_textbook_error() {
    // 0, 0, 1, 1, 1: mean 0.6, sample variance 0.3, error sqrt(0.3 / 5).
    let rows = [0.0, 0.0, 1.0, 1.0, 1.0].map(|x| [x, 1.0]);
    let mean = mean_with_interval(&rows, &OPTIONS);
    assert_eq!(mean.value, Some(0.6), "three of five");
    let error = (0.3_f64 / 5.0).sqrt();
    assert!((mean.se.unwrap() - error).abs() < 1e-12, "s / sqrt(n)");
    // Of five draws at 0.6 the chance of at most one hit is 0.087, of none 0.010: 2.5 % lies at one of five; of five
    // hits the chance is 0.078, so that 97.5 % lies at five.
    assert_eq!(mean.ci95, Some([0.2, 1.0]), "quantiles of Binomial(5, 0.6) / 5");
}

#[test]
fn prompts_with_several_rows_weigh_by_their_rows() {
    // Two rows in one prompt that sum to 2, none in the second, one of 0 in the third: 2 / 3, not a mean of means.
    let mean = mean_with_interval(&[[2.0, 2.0], [0.0, 0.0], [0.0, 1.0]], &OPTIONS);
    assert_eq!(mean.value, Some(2.0 / 3.0), "rows weigh the same");
    // A resample of the second prompt alone (1 in 27) has no row.
    let share = f64::from(u32::try_from(mean.undefined_resamples.unwrap().get()).unwrap()) / 20_000.0;
    assert!((share - 1.0 / 27.0).abs() < 0.007, "resamples without a row are counted: {share}");
}

#[test]
fn nothing_has_no_mean() {
    let mean = mean_with_interval(&[[0.0, 0.0]], &OPTIONS);
    assert_eq!((mean.value, mean.ci95), (None, None), "no row, no mean");
    assert!(mean.undefined.is_some(), "and it is said why");
}

#[test]
fn the_order_of_prompts_plays_no_part() {
    let forth = [[0.25, 1.0], [0.5, 1.0], [0.5, 1.0], [1.0, 1.0], [0.0, 1.0]];
    let mut back = forth;
    back.reverse();
    assert_eq!(
        mean_with_interval(&forth, &OPTIONS),
        mean_with_interval(&back, &OPTIONS),
        "kinds are counted"
    );
}
