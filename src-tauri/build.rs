//! Lists every command of the table to Tauri, so that none is open to a window that no capability names.

fn main() {
    println!("cargo:rerun-if-changed=commands.gen.txt");
    let names: &'static str =
        Box::leak(std::fs::read_to_string("commands.gen.txt").unwrap_or_default().into_boxed_str());
    let commands: &'static [&'static str] = Box::leak(names.lines().collect::<Vec<_>>().into_boxed_slice());
    let attributes =
        tauri_build::Attributes::new().app_manifest(tauri_build::AppManifest::new().commands(commands));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:warning={error:#}");
        std::process::exit(1);
    }
}
