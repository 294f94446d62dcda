fn main() {
    let t = std::fs::read_to_string("/work/main/assets/demo/dataset.jsonl").unwrap();
    let mut n = 0;
    let start = std::time::Instant::now();
    let mut out = vec![];
    for l in t.lines() {
        let v: serde_json::Value = serde_json::from_str(l).unwrap();
        let r = &v["rubrics"];
        let r: serde_json::Value =
            if let Some(s) = r.as_str() { serde_json::from_str(s).unwrap_or_default() } else { r.clone() };
        let cs: Vec<_> = r
            .as_array()
            .cloned()
            .unwrap_or_default()
            .into_iter()
            .enumerate()
            .map(|(i, c)| {
                let mut c = c;
                if c.get("criterion").is_none() {
                    c["criterion"] = c["rubric"].clone();
                }
                let m = c["modality"].as_str().unwrap_or("").to_lowercase();
                c["modality"] = m.into();
                c["id"] = (i + 1).to_string().into();
                c
            })
            .collect();
        n += cs.len();
        let inp:rubric::lints::LintInput=serde_json::from_value(serde_json::json!({"prompt":v["prompt"],"output_modalities":v["output_modalities"],"criteria":cs})).unwrap();
        for f in rubric::lints::lint(&inp).findings {
            let at = f.at.map(|a| inp.criteria[a as usize].criterion.clone()).unwrap_or_default();
            let m = f.at.map(|a| inp.criteria[a as usize].modality.clone()).unwrap_or_default();
            out.push(format!("{:?} {} [{m}] {at} -- {}", f.severity, f.rule, f.message));
        }
    }
    let e = start.elapsed();
    out.sort();
    for o in out {
        println!("{o}");
    }
    eprintln!("{n} criteria in {e:?}");
}
