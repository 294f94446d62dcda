//! Means over rows with an interval: precision, pass rate, MMI Value, a score. Rows of one prompt are resampled together.
//!
//! A mean is a ratio of two sums over prompts, so that prompts with several rows, or none, are taken as they come. Prompts that
//! add the same are exchangeable and drawn together, as in the bootstrap of coefficients.

use crate::{Coefficient, Options, Reason, bootstrap::percentile_interval, draw::Draw, resample::Resampler};
use std::collections::BTreeMap;

/// The mean of everything that clusters add, with its percentile interval and its standard error (linearised, clusters
/// independent). `clusters` holds a sum and how many terms it has, for every cluster that is resampled, also for those that add
/// nothing.
pub fn mean_with_interval(clusters: &[[f64; 2]], options: &Options) -> Coefficient {
    let total = clusters.iter().fold([0.0, 0.0], |all, own| [all[0] + own[0], all[1] + own[1]]);
    if total[1] <= 0.0 {
        return Coefficient::from(Err(Reason::NoRows));
    }
    let value = total[0] / total[1];
    let mut out = Coefficient::from(Ok(value));
    let n = clusters.len() as f64;
    if n > 1.0 {
        let squares: f64 = clusters.iter().map(|[sum, terms]| (sum - value * terms).powi(2)).sum();
        out.se = Some((squares * n / (n - 1.0)).sqrt() / total[1]);
    }
    if options.resamples == 0 {
        return out;
    }
    let mut kinds: BTreeMap<[u64; 2], u32> = BTreeMap::new();
    for [sum, terms] in clusters {
        // A sum of nothing may be a negative zero; it is no kind of its own.
        *kinds.entry([(sum + 0.0).to_bits(), (terms + 0.0).to_bits()]).or_default() += 1;
    }
    let mut kinds: Vec<([u64; 2], u32)> = kinds.into_iter().collect();
    kinds.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let own: Vec<[(u32, u32); 1]> = (0..).zip(&kinds).map(|(at, _)| [(at, 1)]).collect();
    let counted = own.iter().zip(&kinds).map(|(own, (_, count))| (own.as_slice(), *count));
    let mut resampler = Resampler::new(counted, kinds.len());
    let adds: Vec<[f64; 2]> = kinds.iter().map(|(bits, _)| bits.map(f64::from_bits)).collect();
    let mut draw = Draw::seeded(options.seed);
    let mut values = Vec::with_capacity(options.resamples as usize);
    for _ in 0..options.resamples {
        let (mut sum, mut terms) = (0.0, 0.0);
        for (add, times) in adds.iter().zip(resampler.draw(&mut draw)) {
            sum += add[0] * f64::from(*times);
            terms += add[1] * f64::from(*times);
        }
        if terms > 0.0 {
            values.push(sum / terms);
        }
    }
    let undefined = options.resamples - u32::try_from(values.len()).unwrap_or(options.resamples);
    out.undefined_resamples = (undefined > 0).then(|| undefined.into());
    out.ci95 = percentile_interval(&mut values);
    out
}
