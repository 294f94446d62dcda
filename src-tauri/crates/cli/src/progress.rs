//! A progress bar on a terminal, nothing when piped.

use actions::command_line::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Runs `work` with a bar that follows it.
pub fn with_bar<T>(work: impl FnOnce(&dyn Fn(Progress)) -> T) -> T {
    // indicatif draws on stderr, and only if that is a terminal.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} {msg}")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let done = work(&|progress: Progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(progress.doing);
    });
    bar.finish_and_clear();
    done
}
