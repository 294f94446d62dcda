//! The prose in a provider's own reply, for rows whose `response_text` is empty (quirks Q29, Q30). For showing only:
//! presence always comes from the flags.

use crate::json::Json;

/// The text of a reply: the reply itself if it is a text, else what the usual providers put it under.
pub(crate) fn text(raw: &[u8]) -> Option<String> {
    let reply = Json::parse(raw).ok()?;
    of_reply(&reply, 0).filter(|text| !text.trim().is_empty())
}

fn of_reply(reply: &Json, depth: usize) -> Option<String> {
    match reply {
        Json::Text(text) => Some(text.to_string()),
        Json::List(parts) if depth < 3 => joined(parts.iter().filter_map(|part| of_reply(part, depth + 1))),
        Json::Object(_) if depth < 6 => {
            ["text", "output_text", "content", "message", "output", "choices", "candidates", "parts"]
                .into_iter()
                .filter_map(|key| reply.get(key))
                // Reasoning and tool calls are objects too; only what says it is a message or text speaks to the user.
                .filter(|_| speaks(reply))
                .find_map(|value| of_member(value, depth + 1))
        }
        _ => None,
    }
}

fn of_member(value: &Json, depth: usize) -> Option<String> {
    match value {
        Json::List(parts) => joined(parts.iter().filter_map(|part| of_reply(part, depth))),
        other => of_reply(other, depth),
    }
    .filter(|text| !text.trim().is_empty())
}

/// Is this part of a reply addressed to the user, as far as its `type` says?
fn speaks(part: &Json) -> bool {
    part.get("type").is_none_or(|kind| matches!(kind.string().as_str(), "message" | "text" | "output_text"))
}

fn joined(texts: impl Iterator<Item = String>) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { None } else { Some(texts.join("\n")) }
}
