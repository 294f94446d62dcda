//! From counted rows to all numbers about one set of units.

use crate::{
    Coefficient, Confusion, JudgeTest, Kind, Level, Numbers, Options, Reason, Resampling, Table, Weights,
    bootstrap::{Clusters, Interval},
    rows::Rows,
    standard_error::standard_error,
    tally::Tally,
};
use domain::Count;

/// Counted rows with what they were counted from.
pub(crate) struct Sample<'c> {
    pub categories: &'c [String],
    /// All units, also those without a rating.
    pub units: u64,
    pub rows: Rows,
    pub clusters: Clusters,
}

impl<'c> Sample<'c> {
    /// Counts a table's rows. `clusters[unit]` groups units that are resampled together.
    pub fn of(table: &'c Table, clusters: Option<&[u32]>, options: &Options) -> Self {
        let (rows, clusters) = if let (Resampling::Clusters, Some(cluster)) = (options.resampling, clusters) {
            let (rows, units) = Rows::with_units(table);
            let clusters = Clusters::by(&units, cluster);
            (rows, clusters)
        } else {
            let rows = Rows::of(table);
            let clusters = Clusters::units(&rows);
            (rows, clusters)
        };
        Self { categories: table.categories(), units: table.units() as u64, rows, clusters }
    }

    /// Everything that is said about the units; with `judge`, the first rater is a test of what the second says.
    pub fn numbers(&self, options: &Options, judge: bool) -> Numbers {
        use Weights::{Identity, Linear, Quadratic};
        let rows = &self.rows;
        let tally = rows.tally();
        let ordered = rows.layout.level != Level::Nominal;
        let many = rows.layout.raters > 2;
        let kinds = [
            Kind::PercentAgreement,
            Kind::PercentAgreementPooledPairs,
            Kind::PercentAgreementAllRaters,
            Kind::ScottPi,
            Kind::CohenKappa(Identity),
            Kind::CohenKappa(Linear),
            Kind::CohenKappa(Quadratic),
            Kind::FleissKappa(Identity),
            Kind::CongerKappa(Identity),
            Kind::KrippendorffAlpha,
            Kind::GwetAc(Identity),
            Kind::GwetAc(Linear),
            Kind::GwetAc(Quadratic),
            Kind::BrennanPrediger(Identity),
            Kind::Pabak,
            Kind::Sensitivity,
            Kind::Specificity,
        ];
        let shown = |kind: &Kind| match kind {
            Kind::CohenKappa(Linear | Quadratic) => ordered,
            Kind::PercentAgreementPooledPairs | Kind::PercentAgreementAllRaters | Kind::CongerKappa(_) => {
                many
            }
            Kind::Sensitivity | Kind::Specificity => judge,
            _ => true,
        };
        let [
            percent_agreement,
            percent_agreement_pooled_pairs,
            percent_agreement_all_raters,
            scott_pi,
            cohen_kappa,
            cohen_kappa_linear,
            cohen_kappa_quadratic,
            mut fleiss_kappa,
            conger_kappa,
            krippendorff_alpha,
            gwet_ac1,
            gwet_ac2_linear,
            gwet_ac2_quadratic,
            brennan_prediger,
            pabak,
            sensitivity,
            specificity,
        ] = self.coefficients(kinds, shown, &tally, options);
        if fleiss_kappa.value.is_some() && unequal_ratings(rows) {
            let note =
                "Units have unequal numbers of ratings; category shares are averaged over units (Gwet).";
            fleiss_kappa.note = Some(note.to_owned());
        }
        let counts = rows.pair_counts();
        let indices = indices(counts.as_deref());
        Numbers {
            units: self.units.into(),
            raters: rows.layout.raters.into(),
            pairable_units: units_of(tally.pairable()),
            confusion: counts.as_deref().map(|counts| confusion(self.categories, counts)),
            judge_as_test: counts
                .filter(|_| judge)
                .map(|counts| judge_as_test(&counts, sensitivity, specificity)),
            percent_agreement,
            percent_agreement_pooled_pairs: many.then_some(percent_agreement_pooled_pairs),
            percent_agreement_all_raters: many.then_some(percent_agreement_all_raters),
            scott_pi,
            cohen_kappa,
            cohen_kappa_linear: ordered.then_some(cohen_kappa_linear),
            cohen_kappa_quadratic: ordered.then_some(cohen_kappa_quadratic),
            fleiss_kappa,
            conger_kappa: many.then_some(conger_kappa),
            krippendorff_alpha,
            gwet_ac1,
            gwet_ac2_linear,
            gwet_ac2_quadratic,
            brennan_prediger,
            pabak,
            prevalence: indices.ok().map(|(prevalence, _)| prevalence),
            bias: indices.ok().map(|(_, bias)| bias),
            indices_undefined: indices.err().map(|reason| reason.to_string()),
            notes: notes(&tally, self.clusters.len(), options),
            sweep: None,
        }
    }

    /// One coefficient alone.
    pub fn coefficient(&self, kind: Kind, options: &Options) -> Coefficient {
        let [out] = self.coefficients([kind], |_| true, &self.rows.tally(), options);
        out
    }

    fn coefficients<const N: usize>(
        &self,
        kinds: [Kind; N],
        shown: impl Fn(&Kind) -> bool,
        tally: &Tally<'_>,
        options: &Options,
    ) -> [Coefficient; N] {
        let values = kinds.map(|kind| kind.value(tally));
        // Only what is shown and has a value is resampled.
        let resampled = |at: usize| values[at].is_ok() && shown(&kinds[at]);
        let defined: Vec<Kind> = (0..N).filter(|at| resampled(*at)).map(|at| kinds[at]).collect();
        let intervals: Vec<Interval> = if options.resamples == 0 {
            Vec::new()
        } else {
            self.clusters.intervals(&defined, &self.rows, options)
        };
        let mut intervals = intervals.into_iter();
        std::array::from_fn(|at| {
            let mut out = Coefficient::from(values[at]);
            if let Ok(value) = values[at]
                && shown(&kinds[at])
            {
                out.se = standard_error(kinds[at], value, &self.rows, tally);
                if let Some(interval) = intervals.next() {
                    out = out.with(interval);
                }
            }
            out
        })
    }
}

impl From<Result<f64, Reason>> for Coefficient {
    fn from(value: Result<f64, Reason>) -> Self {
        match value {
            Ok(value) => Self { value: Some(value), ..Self::default() },
            Err(reason) => Self { undefined: Some(reason.to_string()), ..Self::default() },
        }
    }
}

impl Coefficient {
    pub(crate) fn with(self, interval: Interval) -> Self {
        let undefined = (interval.undefined > 0).then(|| interval.undefined.into());
        Self { ci95: interval.ci95, undefined_resamples: undefined, ..self }
    }
}

/// Fewer units or clusters than this are called few.
const FEW: f64 = 30.0;

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a sum of ones
fn units_of(sum: f64) -> Count {
    Count::from(sum as u64)
}

fn unequal_ratings(rows: &Rows) -> bool {
    rows.distinct.windows(2).any(|pair| (pair[0].ratings - pair[1].ratings).abs() > 0.5)
}

fn confusion(labels: &[String], counts: &[u64]) -> Confusion {
    let row = |row: &[u64]| row.iter().map(|n| Count::from(*n)).collect();
    Confusion { counts: counts.chunks(labels.len().max(1)).map(row).collect(), labels: labels.to_vec() }
}

fn judge_as_test(counts: &[u64], sensitivity: Coefficient, specificity: Coefficient) -> JudgeTest {
    let count = |at: usize| Count::from(counts.get(at).copied().unwrap_or(0));
    JudgeTest { tp: count(0), fp: count(1), tn: count(3), fn_: count(2), sensitivity, specificity }
}

/// Prevalence (a − d) / n and bias (b − c) / n of two raters over two categories, signed (Byrt et al. 1993).
fn indices(counts: Option<&[u64]>) -> Result<(f64, f64), Reason> {
    let [both, first_alone, second_alone, neither] = *counts.ok_or(Reason::NotTwoRaters)? else {
        return Err(Reason::NotTwoCategories);
    };
    let n = (both + first_alone + second_alone + neither) as f64;
    if n == 0.0 {
        return Err(Reason::NothingPairable);
    }
    let index = |plus: u64, minus: u64| (plus as f64 - minus as f64) / n;
    Ok((index(both, neither), index(first_alone, second_alone)))
}

fn notes(tally: &Tally<'_>, clusters: u32, options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    let units = tally.pairable();
    if units > 0.0 && units < FEW {
        notes.push(format!("Only {units} units were judged twice: every number here is rough."));
    } else if options.resamples > 0 && f64::from(clusters) < FEW && units > 0.0 {
        notes.push(format!("Only {clusters} clusters: a percentile interval over so few is too narrow."));
    }
    notes
}
