//! A study at work, as several modules need it: the demo imported, work handed out, a host as one person.

use acceptance::{Host, Place, root};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The demo study's source.
pub fn demo() -> PathBuf {
    root().join("assets/demo")
}

/// A study with these sources imported.
pub fn study(place: &Place, name: &str, sources: &[&Path]) -> PathBuf {
    let study = place.study(name);
    if !sources.is_empty() {
        place.import(&study, sources);
    }
    study
}

/// Hands all work out to one judge and one author, `sam` and `noor`, and to another judge, `kim`.
pub fn hand_out(place: &Place, study: &Path) {
    let plan = json!({
        "people": [{"name": "sam", "role": "judge"}, {"name": "kim", "role": "judge"}, {"name": "noor", "role": "author"}],
        "tasks": [
            {"kind": "judge", "who": ["sam"], "seed": 3}, {"kind": "judge", "who": ["kim"], "seed": 4},
            {"kind": "author", "who": ["noor"], "seed": 5},
        ],
    });
    let plan = place.write("plan.json", plan.to_string());
    place.json(["assign".as_ref(), study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
}

/// A call, whatever becomes of it: status and body; none when the host is gone.
pub fn ask(host: &Host, command: &str, request: &Value) -> Option<(u16, Vec<u8>)> {
    host.raw(command, request.to_string().as_bytes()).ok().map(|reply| (reply.status, reply.body))
}
