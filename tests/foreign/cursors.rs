//! Tests the cursors that callers send back.

use super::*;
use ports::cursor::{limit, read, read_ulid, write};

proptest! {
    #[test]
    fn a_cursor_reads_back_in_its_own_list(list in "[a-z:/|]{0,20}", key in any::<String>()) {
        prop_assert_eq!(read(&list, &write(&list, &key)).unwrap(), key);
    }

    #[test]
    fn a_cursor_of_anothers_documents_is_refused(
        list in "user:[a-z]{1,3}",
        other in "(user|team|case):[a-z]{1,3}",
        key in any::<String>(),
    ) {
        prop_assert_eq!(read(&list, &write(&other, &key)).is_ok(), list == other);
    }

    #[test]
    fn any_text_is_a_cursor_or_refused(
        list in "[a-z:/]{0,3}",
        text in prop_oneof!["[A-Za-z0-9_=-]{0,40}", any::<String>()],
    ) {
        if let Ok(key) = read(&list, &text) {
            prop_assert_eq!(write(&list, &key), text.as_str());
        }
        if let Ok(ulid) = read_ulid(&list, &text) {
            prop_assert_eq!(ulid.len(), 26);
        }
    }

    #[test]
    fn a_page_has_a_bounded_size(wanted in prop::option::of(prop_oneof!["[0-9+-]{0,12}", any::<String>()])) {
        if let Ok(limit) = limit(wanted.as_deref(), 20) {
            prop_assert!((1..=100).contains(&limit));
        }
    }
}
