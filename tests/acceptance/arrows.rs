//! The arrows of the architecture, over what cargo itself says: which room may name which, and which outside crates
//! have one room that names them. Dependencies of builds and tests count like any others.

use acceptance::root;
use std::collections::{BTreeMap, BTreeSet};

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .expect("cargo describes the workspace");
    let of = |package: &cargo_metadata::Package| {
        package.dependencies.iter().map(|dependency| dependency.name.clone()).collect()
    };
    metadata.packages.iter().map(|package| (package.name.to_string(), of(package))).collect()
}

/// Which rooms each room may name.
const ARROWS: [(&str, &[&str]); 11] = [
    ("domain", &[]),
    ("rubric", &["domain"]),
    ("agreement", &["domain"]),
    ("store", &["domain"]),
    ("formats", &["domain"]),
    ("media", &["domain"]),
    ("actions", &["domain", "rubric", "agreement", "store", "formats", "media"]),
    ("assize", &["actions", "domain", "rubric", "agreement", "store", "formats", "media"]),
    ("dev", &["actions", "domain", "rubric", "agreement", "store", "formats", "media"]),
    ("assize-desktop", &["actions", "domain", "rubric", "agreement", "store", "formats", "media"]),
    // Stands outside all rooms: it may see the command table, and nothing behind it.
    ("acceptance", &["actions"]),
];

#[test]
fn arrows_between_rooms_point_one_way() {
    let dependencies = dependencies();
    let rooms: BTreeSet<&str> = ARROWS.iter().map(|(room, _)| *room).collect();
    let found: BTreeSet<&str> = dependencies.keys().map(String::as_str).collect();
    assert_eq!(found, rooms, "every package of the workspace has its arrows in the table above");
    for (room, allowed) in ARROWS {
        for named in dependencies[room].iter().filter(|name| rooms.contains(name.as_str())) {
            assert!(allowed.contains(&named.as_str()), "{room} may not name {named}");
        }
    }
}

#[test]
fn outside_crates_with_one_owner_are_named_by_it_alone() {
    let dependencies = dependencies();
    let owners: [(&str, &[&str]); 3] = [
        ("store", &["rusqlite", "libsqlite3-sys"]),
        ("media", &["image", "symphonia", "rodio", "pdf-extract", "calamine", "zip", "quick-xml", "lopdf"]),
        ("assize-desktop", &["tauri", "tauri-build"]),
    ];
    for (owner, crates) in owners {
        for (room, names) in &dependencies {
            for name in names.iter().filter(|name| {
                crates.contains(&name.as_str()) || (owner == "assize-desktop" && name.starts_with("tauri"))
            }) {
                assert_eq!(room, owner, "only {owner} may name {name}");
            }
        }
        assert!(
            crates.iter().any(|name| dependencies[owner].contains(*name)),
            "{owner} does name what it owns: else this test looks at nothing"
        );
    }
}

#[test]
fn pure_rooms_name_nothing_that_reads_the_world() {
    let dependencies = dependencies();
    let impure = [
        "tokio",
        "axum",
        "walkdir",
        "getrandom",
        "rand",
        "chrono",
        "time",
        "reqwest",
        "ureq",
        "hyper",
        "http",
    ];
    for room in ["domain", "rubric", "agreement"] {
        for name in &dependencies[room] {
            assert!(!impure.contains(&name.as_str()), "{room} is pure: it may not name {name}");
        }
    }
    for (room, names) in &dependencies {
        for name in names {
            assert!(
                !["reqwest", "ureq", "hyper", "curl", "isahc"].contains(&name.as_str()),
                "{room} names {name}: nothing in the product fetches anything"
            );
        }
    }
}
