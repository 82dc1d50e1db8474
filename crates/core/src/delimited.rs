//! Delimited text as columns, fast. It takes only blocks without fault: what it does not understand, someone slower
//! will have to judge row by row.

use std::borrow::Cow;
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// What to make of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Skipped,
    /// Numbers.
    Numbers,
    /// Words, which repeat.
    Words,
}

/// A column that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Column<'a> {
    /// Nothing of a column that was skipped.
    Skipped,
    /// Numbers, NaN where one is missing.
    Numbers(Vec<f64>),
    /// For each row a place in a list of distinct words, -1 where one is missing.
    Words(Vec<i32>, Vec<Cow<'a, str>>),
}

/// The rows of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<'a> {
    /// How many.
    pub n_rows: usize,
    /// Line ends among them, those within quotes included.
    pub n_lines: usize,
    /// Their columns.
    pub columns: Vec<Column<'a>>,
}

/// A quote that is open for so many lines was not meant.
const MOST_LINES: usize = 100;

/// Reads a block; None where anything about it is odd. `missing` are the words for a missing value.
pub fn read<'a>(block: &'a [u8], delimiter: u8, kinds: &[Kind], missing: &[&str]) -> Option<Rows<'a>> {
    let text = std::str::from_utf8(block).ok()?;
    let mut reader = Reader::new(text, delimiter, missing);
    let first_line = block.iter().position(|&byte| byte == b'\n').unwrap_or(block.len()) + 1;
    let about = (block.len() / first_line * 5 / 4).min(block.len() / kinds.len().max(1)) + 1;
    let mut columns: Vec<Open> = kinds.iter().map(|&kind| Open::new(kind, about)).collect();
    let last = kinds.len().checked_sub(1)?;
    let mut n_rows = 0;
    while reader.at < text.len() {
        if reader.ends_line() {
            continue;
        }
        for (k, column) in columns.iter_mut().enumerate() {
            column.take(&mut reader)?;
            let closed = if k == last { reader.ends_line() } else { reader.passes(delimiter) };
            closed.then_some(())?;
        }
        n_rows += 1;
    }
    Some(Rows { n_rows, n_lines: reader.n_lines, columns: columns.into_iter().map(Open::closed).collect() })
}

/// A place in a text.
struct Reader<'a, 'm> {
    text: &'a str,
    at: usize,
    n_lines: usize,
    /// The bytes that end a field, or are out of place in one.
    stops: [bool; 256],
    missing: &'m [&'m str],
}

impl<'a, 'm> Reader<'a, 'm> {
    fn new(text: &'a str, delimiter: u8, missing: &'m [&'m str]) -> Self {
        let mut stops = [false; 256];
        for byte in [delimiter, b'\n', b'\r', b'"'] {
            stops[usize::from(byte)] = true;
        }
        Self { text, at: 0, n_lines: 0, stops, missing }
    }

    /// The byte here; behind the end it is that of a line.
    #[inline]
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(b'\n')
    }

    #[inline]
    fn is_at_stop(&self) -> bool {
        self.stops[usize::from(self.byte())]
    }

    fn passes(&mut self, wanted: u8) -> bool {
        let passed = self.byte() == wanted && self.at < self.text.len();
        self.at += usize::from(passed);
        passed
    }

    /// Passes the end of a line, or is at that of the text.
    fn ends_line(&mut self) -> bool {
        let start = self.at;
        self.passes(b'\r');
        if self.passes(b'\n') {
            self.n_lines += 1;
        } else if self.at < self.text.len() {
            self.at = start;
            return false;
        }
        true
    }

    /// The field here, its quotes taken off.
    fn field(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at;
        if self.byte() == b'"' {
            return self.quoted();
        }
        while !self.is_at_stop() {
            self.at += 1;
        }
        Some(Cow::Borrowed(&self.text[start..self.at]))
    }

    fn quoted(&mut self) -> Option<Cow<'a, str>> {
        let (start, mut lines, mut doubled) = (self.at + 1, 0, false);
        self.at = start;
        loop {
            match self.text.as_bytes().get(self.at)? {
                b'"' if self.text.as_bytes().get(self.at + 1) == Some(&b'"') => {
                    doubled = true;
                    self.at += 1;
                }
                b'"' => break,
                b'\n' => lines += 1,
                _ => {}
            }
            self.at += 1;
        }
        let content = &self.text[start..self.at];
        self.at += 1;
        self.n_lines += lines;
        let field = if doubled { Cow::Owned(content.replace("\"\"", "\"")) } else { Cow::Borrowed(content) };
        (lines < MOST_LINES).then_some(field)
    }

    /// A number, NaN where it is missing.
    #[inline]
    fn number(&mut self) -> Option<f64> {
        let start = self.at;
        if let Some(number) = self.short_number() {
            return Some(number);
        }
        self.at = start;
        let field = self.field()?;
        if self.missing.contains(&&*field) {
            return Some(f64::NAN);
        }
        field.trim_ascii().parse().ok()
    }

    /// A number of up to 15 digits: their value and the power of ten are exact, so their quotient is rounded once.
    #[inline]
    fn short_number(&mut self) -> Option<f64> {
        const POWERS: [f64; 16] =
            [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
        let is_negative = self.passes(b'-');
        let (mut value, start) = (0, self.at);
        self.digits(&mut value);
        let (mut digits, mut decimals) = (self.at - start, 0);
        if self.passes(b'.') {
            let point = self.at;
            self.digits(&mut value);
            decimals = self.at - point;
            digits += decimals;
        }
        if !(1..POWERS.len()).contains(&digits) || !self.is_at_stop() {
            return None;
        }
        let size = value as f64 / POWERS[decimals];
        Some(if is_negative { -size } else { size })
    }

    #[inline]
    fn digits(&mut self, value: &mut u64) {
        while self.byte().is_ascii_digit() {
            *value = value.wrapping_mul(10).wrapping_add(u64::from(self.byte() - b'0'));
            self.at += 1;
        }
    }
}

/// A column that is being read.
enum Open<'a> {
    Skipped,
    Numbers(Vec<f64>),
    Words(Words<'a>),
}

impl<'a> Open<'a> {
    /// Nothing yet, with room for about so many rows.
    fn new(kind: Kind, rows: usize) -> Self {
        match kind {
            Kind::Skipped => Self::Skipped,
            Kind::Numbers => Self::Numbers(Vec::with_capacity(rows)),
            Kind::Words => Self::Words(Words { places: Vec::with_capacity(rows), ..Words::default() }),
        }
    }

    #[inline]
    fn take(&mut self, reader: &mut Reader<'a, '_>) -> Option<()> {
        match self {
            Self::Skipped => reader.field().map(|_| ()),
            Self::Numbers(numbers) => reader.number().map(|number| numbers.push(number)),
            Self::Words(words) => words.take(reader),
        }
    }

    fn closed(self) -> Column<'a> {
        match self {
            Self::Skipped => Column::Skipped,
            Self::Numbers(numbers) => Column::Numbers(numbers),
            Self::Words(words) => Column::Words(words.places, words.distinct),
        }
    }
}

/// The words of a column: each distinct one is kept once.
#[derive(Default)]
struct Words<'a> {
    places: Vec<i32>,
    distinct: Vec<Cow<'a, str>>,
    known: HashTable<Known<'a>>,
}

/// A word and its place. Words of up to eight bytes are told apart by these alone, as one number.
struct Known<'a> {
    word: Cow<'a, str>,
    packed: u64,
    place: i32,
}

/// Words of so many bytes fit into a number.
const SHORT: usize = size_of::<u64>();

impl<'a> Words<'a> {
    #[inline]
    fn take(&mut self, reader: &mut Reader<'a, '_>) -> Option<()> {
        let (start, mut packed) = (reader.at, 0);
        while !reader.is_at_stop() {
            packed = packed << 8 | u64::from(reader.byte());
            reader.at += 1;
        }
        let length = reader.at - start;
        if length == 0 || length > SHORT {
            reader.at = start;
            let word = reader.field()?;
            self.add(word, reader.missing);
            return Some(());
        }
        let is_same = |known: &Known| known.packed == packed && known.word.len() == length;
        match self.known.find(hash_of_number(packed), is_same) {
            Some(known) => self.places.push(known.place),
            None => self.add(Cow::Borrowed(&reader.text[start..reader.at]), reader.missing),
        }
        Some(())
    }

    /// A word of any length.
    fn add(&mut self, word: Cow<'a, str>, missing: &[&str]) {
        let hash = hash_of(&word);
        if let Some(known) = self.known.find(hash, |known| known.word == word) {
            self.places.push(known.place);
            return;
        }
        let place = if missing.contains(&&*word) { -1 } else { self.distinct.len() as i32 };
        if place >= 0 {
            self.distinct.push(word.clone());
        }
        self.places.push(place);
        let known = Known { packed: packed(&word), word, place };
        self.known.insert_unique(hash, known, |known| hash_of(&known.word));
    }
}

/// The last eight bytes of a word.
fn packed(word: &str) -> u64 {
    word.bytes().fold(0, |packed, byte| packed << 8 | u64::from(byte))
}

fn hash_of(word: &str) -> u64 {
    if word.len() <= SHORT {
        return hash_of_number(packed(word));
    }
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish()
}

fn hash_of_number(packed: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(packed);
    hasher.finish()
}
