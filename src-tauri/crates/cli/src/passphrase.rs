//! Where a passphrase comes from: `ASSIZE_PASSPHRASE`, else the person at the terminal.

use std::io::IsTerminal;

/// The passphrase, if there is one. `optional`: an empty answer means none.
pub fn ask(question: &str, optional: bool) -> Option<String> {
    if let Some(given) = actions::packages::environment(question, optional) {
        return Some(given);
    }
    if !std::io::stdin().is_terminal() {
        return None;
    }
    rpassword::prompt_password(format!("{question}: ")).ok().filter(|text| !text.is_empty())
}
