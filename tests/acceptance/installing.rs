//! The Debian package: what it holds, and that a double click on a work package finds the window. Built from stand-ins of the
//! programs, so that nothing but dpkg-deb is needed.

use acceptance::{Place, root};
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

fn run(program: impl AsRef<std::ffi::OsStr>, args: &[&std::ffi::OsStr]) -> Output {
    let done = Command::new(program).args(args).current_dir(root()).output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    done
}
/// The value of a line `key=value`.
fn entry<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).unwrap_or_default()
}

#[test]
fn the_debian_package_opens_work_packages_by_double_click() {
    let place = Place::new();
    for program in ["assize", "assize-desktop"] {
        let path = place.write(&format!("programs/{program}"), "#!/bin/sh\n");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let (programs, made) = (place.path("programs"), place.path("assize.deb"));
    let args = ["--programs".as_ref(), programs.as_os_str(), "-o".as_ref(), made.as_os_str()];
    run(root().join("scripts/deb"), &args);
    let listed = run("dpkg-deb", &["-c".as_ref(), made.as_os_str()]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    for path in [
        "./usr/bin/assize",
        "./usr/bin/assize-desktop",
        "./usr/lib/Assize/demo/dataset.jsonl",
        "./usr/share/mime/packages/assize.xml",
        "./usr/share/applications/Assize.desktop",
        "./usr/share/icons/hicolor/128x128/apps/assize-desktop.png",
        "./usr/share/doc/assize/copyright",
    ] {
        let line =
            listed.lines().find(|line| line.ends_with(path)).unwrap_or_else(|| panic!("{path}: {listed}"));
        let mode = if path.contains("/bin/") { "-rwxr-xr-x" } else { "-rw-r--r--" };
        assert!(
            line.starts_with(mode) && line.contains("root/root"),
            "everyone reads it, root owns it: {line}"
        );
    }

    let out = place.path("unpacked");
    run("dpkg-deb", &["-x".as_ref(), made.as_os_str(), out.as_os_str()]);
    let read = |path: &str| fs::read_to_string(out.join(path)).unwrap();
    let (desktop, mime) =
        (read("usr/share/applications/Assize.desktop"), read("usr/share/mime/packages/assize.xml"));
    let config: Value =
        serde_json::from_slice(&fs::read(root().join("src-tauri/tauri.conf.json")).unwrap()).unwrap();
    let association = &config["bundle"]["fileAssociations"][0];
    let kind = association["mimeType"].as_str().unwrap();
    assert_eq!(association["ext"], serde_json::json!(["assizepack"]), "the ending of packages");
    assert!(mime.contains(&format!("type=\"{kind}\"")), "the system learns this type: {mime}");
    assert!(mime.contains("<glob pattern=\"*.assizepack\"/>"), "and by which ending to know it: {mime}");
    assert!(entry(&desktop, "MimeType").split(';').any(|one| one == kind), "the window opens it: {desktop}");
    let exec = entry(&desktop, "Exec");
    assert!(exec.ends_with(" %f"), "and is given the file: {exec}");
    let program = exec.split(' ').next().unwrap();
    assert!(out.join("usr/bin").join(program).is_file(), "its program is in the package: {exec}");
    let icon = entry(&desktop, "Icon");
    let icons = out.join("usr/share/icons/hicolor");
    let has = |size: &str, end: &str| icons.join(size).join("apps").join(format!("{icon}.{end}")).is_file();
    assert!(has("32x32", "png") && has("512x512", "png") && has("scalable", "svg"), "with its icon: {icon}");
    assert!(!desktop.contains("{{") && !desktop.contains("}}"), "nothing is left to be filled in: {desktop}");

    let control = run("dpkg-deb", &["-f".as_ref(), made.as_os_str()]);
    let control = String::from_utf8(control.stdout).unwrap();
    for depends in ["libwebkit2gtk-4.1-0", "gstreamer1.0-libav", "gstreamer1.0-plugins-bad"] {
        assert!(control.contains(depends), "without {depends} the window does not run: {control}");
    }
    assert!(control.contains(&format!("Version: {}\n", config["version"].as_str().unwrap())), "{control}");
    let demo = fs::read_dir(root().join("assets/demo")).unwrap().count();
    assert_eq!(fs::read_dir(out.join("usr/lib/Assize/demo")).unwrap().count(), demo, "the whole demo study");
    assert!(is_one(&out, &listed), "no file lies outside of /usr");
}

/// Is everything below one folder?
fn is_one(out: &Path, listed: &str) -> bool {
    let paths = listed.lines().filter_map(|line| line.split_whitespace().nth(5));
    fs::read_dir(out).unwrap().count() == 1
        && paths.into_iter().all(|path| path == "./" || path.starts_with("./usr/"))
}
