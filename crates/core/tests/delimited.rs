//! Reading delimited text: the same as the obvious way, for what is taken at all.

use proptest::prelude::*;
use tsdt_core::delimited::{Column, Kind, read};

/// What a column of words holds, None where a word is missing.
fn words(column: &Column) -> Vec<Option<String>> {
    let Column::Words(places, distinct) = column else { panic!("no words: {column:?}") };
    places.iter().map(|&place| usize::try_from(place).ok().map(|place| distinct[place].to_string())).collect()
}

fn words_of(text: &str) -> Option<Vec<Option<String>>> {
    read(text.as_bytes(), b',', &[Kind::Words], &["", "NA"]).map(|rows| words(&rows.columns[0]))
}

#[test]
fn quotes_are_taken_off_and_lines_counted() {
    let kinds = [Kind::Words, Kind::Skipped, Kind::Numbers];
    let rows = read(b"\"a,\"\"b\nc\"\"\",x,\"1.5\"\r\n\nNA,,NA\n", b',', &kinds, &["NA"]).expect("no fault");
    assert_eq!((rows.n_rows, rows.n_lines), (2, 4));
    assert_eq!(words(&rows.columns[0]), [Some("a,\"b\nc\"".to_string()), None]);
    assert_eq!(rows.columns[1], Column::Skipped);
    assert!(matches!(&rows.columns[2], Column::Numbers(n) if n[0] == 1.5 && n[1].is_nan()));
}

#[test]
fn what_is_odd_is_left_to_others() {
    let kinds = [Kind::Words, Kind::Numbers];
    let odd: [&[u8]; 9] =
        [b"a\n", b"a,1,2\n", b"a,x\n", b"a\"b,1\n", b"\"a,1\n", b"\"a\"b,1\n", b"a\r,1\n", b"\xff,1\n", b"a,1\rb,2\n"];
    for block in odd {
        assert_eq!(read(block, b',', &kinds, &[]), None, "{block:?}");
    }
    let open = format!("\"{}\",1\n", "\n".repeat(100));
    assert_eq!(read(open.as_bytes(), b',', &kinds, &[]), None);
    assert_eq!(read(b"1\n", b',', &[], &[]), None);
}

proptest! {
    #[test]
    fn numbers_are_those_of_the_standard_library(text in "[+-]?[0-9]{0,18}\\.?[0-9]{0,18}(e-?[0-9]{1,3})?") {
        let found = read(text.as_bytes(), b',', &[Kind::Numbers], &[]);
        let wanted = text.parse::<f64>().ok();
        match found.map(|rows| rows.columns) {
            Some(columns) if text.is_empty() => prop_assert_eq!(columns, [Column::Numbers(Vec::new())]),
            Some(columns) => {
                let Column::Numbers(numbers) = &columns[0] else { panic!("no numbers") };
                prop_assert_eq!(numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>(), [wanted.unwrap().to_bits()]);
            }
            None => prop_assert_eq!(wanted, None),
        }
    }

    #[test]
    fn words_are_those_between_line_ends(lines in prop::collection::vec("[abé\\x00]{1,12}|NA", 0..40)) {
        let wanted: Vec<_> = lines.iter().map(|line| (line != "NA").then(|| line.clone())).collect();
        prop_assert_eq!(words_of(&lines.join("\n")), Some(wanted));
    }

    #[test]
    fn any_bytes_are_read_or_refused(block in prop::collection::vec(any::<u8>(), 0..80)) {
        read(&block, b',', &[Kind::Numbers, Kind::Words], &["", "NA"]);
    }
}
