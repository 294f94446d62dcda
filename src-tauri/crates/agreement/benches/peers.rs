//! Our side of `benches/peers/run`: times the same data that the Python packages are timed on, one thread, and prints
//! one JSON line a measurement. `cargo bench -p agreement --bench peers -- FOLDER`.
#![allow(clippy::unwrap_used)] // a bench: a panic is the failure

use agreement::{Kind, Level, Options, Resampling, Table, Weights, coefficient, coefficient_with_interval};
use serde_json::{Value, json};
use std::{hint::black_box, path::Path, time::Instant};

/// Seconds that this thread has been on a processor: other work on the machine does not count, as it does not for the
/// peers (`time.thread_time`).
fn on_processor(start: Instant) -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedstat.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Median and least seconds of several measurements. The clock of a thread ticks in milliseconds, so that each is over
/// as many runs as take a twentieth of a second.
fn timed(mut work: impl FnMut() -> f64) -> (Value, f64) {
    let began = Instant::now();
    let mut value = black_box(work());
    let mut times: Vec<f64> = (0..9)
        .map(|_| {
            let start = on_processor(began);
            let mut runs = 0.0;
            loop {
                value = black_box(work());
                runs += 1.0;
                let took = on_processor(began) - start;
                if took >= 0.05 {
                    return took / runs;
                }
            }
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (json!({"median": times[times.len() / 2], "least": times[0]}), value)
}

fn numbers(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).unwrap();
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| f64::from_le_bytes(*word)).collect()
}

/// Bytes a second that one thread reads, summing a buffer larger than any cache.
fn bandwidth() -> f64 {
    let buffer = vec![1_u64; 1 << 25];
    let (time, _) = timed(|| black_box(&buffer).iter().fold(0_u64, |sum, x| sum.wrapping_add(*x)) as f64);
    (buffer.len() * 8) as f64 / time["least"].as_f64().unwrap()
}

fn kind_of(name: &str) -> Kind {
    match name {
        "alpha" => Kind::KrippendorffAlpha,
        "kappa" => Kind::CohenKappa(Weights::Identity),
        "ac1" => Kind::GwetAc(Weights::Identity),
        "fleiss" => Kind::FleissKappa(Weights::Identity),
        _ => Kind::ScottPi,
    }
}

fn main() {
    let Some(folder) = std::env::args().nth(1).filter(|folder| !folder.starts_with("--")) else {
        println!("run benches/peers/run: it makes the data that this bench reads");
        return;
    };
    let folder = Path::new(&folder);
    let plan: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("cases.json")).unwrap()).unwrap();
    println!("{}", json!({"bandwidth": bandwidth()}));
    for case in plan.as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let values = numbers(&folder.join(format!("{name}.bin")));
        let number = |key: &str| usize::try_from(case[key].as_u64().unwrap()).unwrap();
        let (raters, labels) = (number("raters"), number("labels"));
        let categories: Vec<f64> = (0..labels).map(|at| at as f64).collect();
        let kind = kind_of(case["kind"].as_str().unwrap());
        let read = || Table::from_numbers(Level::Nominal, &categories, raters, &values).unwrap();
        let table = read();
        if case["kind"] == "bootstrap" {
            let cluster = numbers(&folder.join(format!("{name}-prompts.bin")));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // prompts are small numbers
            let cluster: Vec<u32> = cluster.into_iter().map(|c| c as u32).collect();
            let options = Options { resamples: 10_000, seed: 1, resampling: Resampling::Clusters };
            let (time, low) =
                timed(|| coefficient_with_interval(&table, Some(&cluster), kind, &options).ci95.unwrap()[0]);
            println!("{}", json!({"name": name, "from_array": time, "from_table": time, "value": low}));
            continue;
        }
        let (from_array, value) = timed(|| coefficient(&read(), kind).unwrap());
        let (from_table, _) = timed(|| coefficient(&table, kind).unwrap());
        let bytes = table.units() * raters * 2;
        println!(
            "{}",
            json!({"name": name, "from_array": from_array, "from_table": from_table, "value": value,
                "array_bytes": values.len() * 8, "table_bytes": bytes})
        );
    }
}
