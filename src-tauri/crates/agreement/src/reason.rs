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
    /// No unit has a rating of every rater.
    #[error("no unit was judged by all people")]
    NoCompleteUnit,
    /// Two raters of several have no unit in common.
    #[error("two of the raters have no unit in common")]
    NoCommonUnit,
    /// The reference has no unit of the kind that the share is over.
    #[error("the reference has no such unit")]
    NoReference,
    /// A share of nothing.
    #[error("the sample is empty")]
    EmptySample,
    /// More hits than items.
    #[error("there are more hits than items")]
    MoreHitsThanItems,
    /// A confidence outside (0, 1).
    #[error("a confidence lies between 0 and 1")]
    NoConfidence,
    /// An error rate outside (0, 1).
    #[error("an error rate to be shown lies between 0 and 1")]
    NoRate,
    /// Weights that are no matrix of disagreements.
    #[error("weights are one number from 0 on for each pair of categories")]
    NoWeights,
    /// A coefficient that has no standard error there.
    #[error("no standard error is known for this coefficient")]
    NoError,
    /// Nothing varies, so that no width can be planned.
    #[error("nothing varies in what is expected, so that there is no width to plan")]
    NoVariance,
    /// An agreement that two raters with such shares cannot have.
    #[error("no two raters with these shares of the first label can agree that often")]
    NoSuchTable,
    /// A width that is not above 0, or too small to be reached.
    #[error("an interval's width is above 0, and reached with fewer than 10^15 units")]
    NoWidth,
    /// No answer was scored by all who are compared.
    #[error("no answer was scored by all who are compared")]
    NothingScored,
    /// Two scorers have fewer than two subjects in common.
    #[error("fewer than two were scored by both, so that there is no order to compare")]
    TooFewToOrder,
    /// All are tied.
    #[error("all have the same score, so that there is no order to compare")]
    NoOrderOfScores,
    /// A mean over no rows.
    #[error("there is no such row")]
    NoRows,
    /// Nobody can be measured by jobs that they did not answer.
    #[error("no job with a known answer was answered")]
    NoKnownJob,
    /// Nobody said anything twice.
    #[error("no job was given twice")]
    NothingRepeated,
}
