//! Why a coefficient has no value.

/// The reason why a number is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Reason {
    /// No unit has two ratings.
    #[error("no unit was judged by two people")]
    NothingPairable,
    /// Expected agreement is 1, and so is observed agreement.
    #[error("chance agreement is 1, so the coefficient is 0/0")]
    ChanceIsOne,
    /// Expected disagreement is 0 because one value occurs only.
    #[error("only one value occurs in the pairable ratings, so expected disagreement is 0 (0/0)")]
    OneValue,
    /// The scale has one category, which leaves nothing to disagree on.
    #[error("only one category is declared, so chance agreement is 1 (0/0)")]
    OneCategory,
    /// A coefficient for two raters on another number of raters.
    #[error("defined for exactly two raters")]
    NotTwoRaters,
    /// A coefficient for two categories on another number of categories.
    #[error("defined for exactly two categories")]
    NotTwoCategories,
    /// Weights on a scale without an order.
    #[error("weights need an ordinal or interval scale")]
    NoOrder,
    /// No unit was rated at all.
    #[error("no unit has a rating")]
    NoRatings,
    /// The reference has no unit of the kind that the share is over.
    #[error("the reference has no such unit")]
    NoReference,
}
