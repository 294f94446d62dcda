//! stub
use crate::{wire::*, App, Failure, Code, for_each_command};
macro_rules! stub { ($($help:literal $shape:ident $name:ident($request:ty) -> $reply:ty, $allowed:expr;)*) => { $(pub(crate) fn $name(_: &App, _: $request) -> Result<$reply, Failure> { Err(Failure::new(Code::Internal, "")) })* } }
for_each_command!(stub);
