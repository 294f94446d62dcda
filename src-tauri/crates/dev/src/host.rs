//! placeholder
use clap::Args;
#[derive(Args)]
pub struct ServeArgs {}
pub fn serve(_: &ServeArgs) -> Result<(), String> { Ok(()) }
