//! One thin line per command, made from the table: a command without a handler does not compile.

use actions::{App, Failure, for_each_command};
use std::sync::Arc;

macro_rules! shell_commands {
    ($($help:literal $shape:ident $name:ident($request:ty) -> $reply:ty, $allowed:expr;)*) => {
        /// The Tauri side of each command.
        #[allow(clippy::needless_pass_by_value, reason = "Tauri hands state over by value")]
        mod line {
            use super::{App, Arc, Failure};
            use actions::wire::*;
            $(
                #[tauri::command]
                pub async fn $name(app: tauri::State<'_, Arc<App>>, request: $request) -> Result<$reply, Failure> {
                    let app = Arc::clone(&app);
                    super::off_the_main_thread(move || actions::call::$name(&app, request)).await
                }
            )*
        }

        /// All of them.
        pub fn handler() -> impl Fn(tauri::ipc::Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$(line::$name),*]
        }
    };
}
for_each_command!(shell_commands);

async fn off_the_main_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tauri::async_runtime::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Failure::new(actions::Code::Internal, error.to_string())))
}
