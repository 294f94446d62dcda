//! Units × raters tables (`agreement --table`), in CSV or JSON.

use crate::{
    FormatError, Rating, RatingTable,
    documents::{parsed, whole},
    json::Json,
};
use std::io::Read;

const WHAT: &str = "the table of ratings";
/// Headers of a first column that names the units rather than a rater, beside those that end in `_id`.
const UNIT_COLUMNS: [&str; 7] = ["", "unit", "item", "id", "prompt", "sample", "subject"];

/// Reads a table of ratings. CSV has a header of raters, one row per unit, an empty cell = missing; a first column
/// headed `unit`, `item`, `id`, `prompt`, `sample`, `subject`, by a name that ends in `_id`, or by nothing names the units. JSON is
/// `{"data":[[…]],"categories":[…]?,"level":…?,"positive":…?}`, `null` = missing.
pub fn read_ratings(input: impl Read) -> Result<RatingTable, FormatError> {
    let bytes = whole(input, WHAT)?;
    match bytes.trim_ascii_start().first() {
        Some(b'{') => from_json(&bytes),
        Some(b'[') => Err(broken("it is a list; put it into an object: {\"data\": [[…], […]]}")),
        _ => from_csv(&bytes),
    }
}

/// Is this the header of a column that names units? Where every column is headed like that they are the raters.
fn names_units(header: &[String]) -> bool {
    let like_an_id = |name: &String| name.to_ascii_lowercase().ends_with("_id");
    header.first().is_some_and(|first| {
        UNIT_COLUMNS.contains(&first.to_ascii_lowercase().as_str())
            || (like_an_id(first) && !header.iter().all(like_an_id))
    })
}

fn broken(why: impl Into<String>) -> FormatError {
    FormatError::Broken { what: WHAT, why: why.into() }
}

fn rating(value: &Json) -> Result<Option<Rating>, FormatError> {
    Ok(match value {
        Json::Null => None,
        Json::Number(n) if n == "NaN" => None,
        Json::Number(_) => {
            Some(Rating::Number(value.finite().ok_or_else(|| broken("a rating is infinite"))?))
        }
        Json::Text(text) => Some(Rating::Text(text.to_string())),
        Json::Bool(flag) => Some(Rating::Text(flag.to_string())),
        _ => return Err(broken("a rating is neither number nor text nor null")),
    })
}

fn from_json(bytes: &[u8]) -> Result<RatingTable, FormatError> {
    let json = parsed(bytes, WHAT)?;
    let Some(Json::List(data)) = json.get("data") else {
        return Err(broken("it has no list \"data\" of units × raters"));
    };
    let mut rows = Vec::with_capacity(data.len());
    for (number, row) in (1..).zip(data) {
        let Json::List(cells) = row else { return Err(broken(format!("unit {number} is no list"))) };
        rows.push(cells.iter().map(rating).collect::<Result<Vec<_>, _>>()?);
    }
    let width = rows.first().map_or(0, Vec::len);
    if let Some(at) = rows.iter().position(|row| row.len() != width) {
        return Err(broken(format!("unit {} has {} ratings, the first has {width}", at + 1, rows[at].len())));
    }
    let categories = match json.get("categories") {
        None | Some(Json::Null) => None,
        Some(list) => {
            Some(list.items().iter().map(rating).filter_map(Result::transpose).collect::<Result<_, _>>()?)
        }
    };
    let level = json.get("level").map(Json::string).filter(|level| !level.is_empty());
    let positive = json.get("positive").map(rating).transpose()?.flatten();
    Ok(RatingTable {
        raters: (1..=width).map(|n| n.to_string()).collect(),
        units: None,
        rows,
        categories,
        level,
        positive,
    })
}

fn from_csv(bytes: &[u8]) -> Result<RatingTable, FormatError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).trim().to_owned();
    let header: Vec<String> =
        reader.byte_headers().map_err(|error| broken(error.to_string()))?.iter().map(text).collect();
    if let [only] = header.as_slice()
        && let Some(other) = only.chars().find(|c| matches!(c, ';' | '\t' | '|'))
    {
        return Err(broken(format!("its columns are separated by {other:?}; separate them by commas")));
    }
    let skip = usize::from(header.len() > 1 && names_units(&header));
    let (mut rows, mut units) = (Vec::new(), Vec::new());
    for (number, record) in (1..).zip(reader.byte_records()) {
        let record = record.map_err(|error| broken(error.to_string()))?;
        if record.len() != header.len() {
            return Err(broken(format!(
                "row {number} has {} cells, the header {}",
                record.len(),
                header.len()
            )));
        }
        let mut cells = record.iter().map(text);
        units.extend(cells.by_ref().take(skip));
        rows.push(cells.map(|cell| from_cell(&cell)).collect());
    }
    let raters = header.into_iter().skip(skip).collect();
    Ok(RatingTable { raters, units: (skip > 0).then_some(units), rows, ..RatingTable::default() })
}

fn from_cell(cell: &str) -> Option<Rating> {
    if cell.is_empty() {
        return None;
    }
    let number = cell.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    match cell.parse::<f64>().ok().filter(|n| number && n.is_finite()) {
        Some(number) => Some(Rating::Number(number)),
        None => Some(Rating::Text(crate::unguard(cell).to_owned())),
    }
}
