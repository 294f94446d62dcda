//! Numbers of things in messages.

/// So many of a thing, with the word that goes with the number: `counted(1, "option", "options")` is `1 option`.
pub fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular_and_none_is_not() {
        let said = [0, 1, 2].map(|number| counted(number, "criterion", "criteria"));
        assert_eq!(said, ["0 criteria", "1 criterion", "2 criteria"], "as English counts");
    }
}
