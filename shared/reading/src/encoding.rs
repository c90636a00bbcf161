//! The encodings of texts.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The bytes by which an encoding is guessed.
const EXAMINED: usize = 256 * 1024;

/// A text, and its encoding where that is not UTF-8.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    /// The name of the WHATWG encoding standard, such as `windows-1252`.
    pub(super) encoding: Option<&'static str>,
}

/// Decodes a text without its byte order mark. Without one, what is not UTF-8 has the encoding that
/// is likeliest by the frequencies of its letters.
///
/// # Errors
/// Says which byte no text has, or which encodings it is not in.
pub(super) fn decoded(bytes: &[u8]) -> Result<Decoded<'_>, String> {
    let (encoding, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None => (guessed(bytes), bytes),
    };
    let is_wide = [UTF_16LE, UTF_16BE].contains(&encoding);
    let is_text = is_wide || has_few_controls(rest);
    if let Some(at) = rest.iter().position(|byte| is_binary(*byte)).filter(|_| !is_text) {
        return Err(format!("is not text: byte {at} is {}", name(rest[at])));
    }
    let (text, is_wrong) = encoding.decode_without_bom_handling(rest);
    if is_wrong {
        return Err(format!("is no text in UTF-8, nor in {}", encoding.name()));
    }
    let encoding = (encoding != UTF_8).then(|| encoding.name());
    Ok(Decoded { text, encoding })
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    if let Some(wide) = wide(bytes) {
        return wide;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(EXAMINED)], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Returns the encoding of a text with a zero beside most letters: UTF-16 of a language with Latin
/// letters.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.len() < 8 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let pairs = bytes[..bytes.len().min(EXAMINED)].as_chunks::<2>().0;
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    match [zeros(0), zeros(1)] {
        [0, low] if low > 0 && 2 * low > pairs.len() => Some(UTF_16LE),
        [high, 0] if high > 0 && 2 * high > pairs.len() => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns true for control characters that no text has. Form feeds, escapes of terminals, and the
/// marks that end a file or a page occur.
fn is_binary(byte: u8) -> bool {
    byte == 0 || (1..=6).contains(&byte) || (14..=25).contains(&byte)
}

/// Lower bound for the bytes of a text for each control character in it that no text has.
const FOR_ONE: usize = 1_000;

/// Returns true for a text in UTF-8 with hardly any such characters, and no NUL: a guide may show
/// one.
fn has_few_controls(bytes: &[u8]) -> bool {
    let controls = bytes.iter().filter(|byte| is_binary(**byte)).count();
    controls * FOR_ONE <= bytes.len() && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok()
}

fn name(byte: u8) -> String {
    if byte == 0 { "NUL".into() } else { format!("the control character {byte}") }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EUC_KR, GB18030, SHIFT_JIS, WINDOWS_1252};

    use super::*;

    fn read(bytes: &[u8]) -> (String, Option<&'static str>) {
        let Decoded { text, encoding } = decoded(bytes).unwrap();
        (text.into_owned(), encoding)
    }

    #[test]
    fn a_mark_tells_the_encoding() {
        let text = "Pumpe läuft: 4 °C";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let with = |mark: &[u8], bytes: &[u8]| read(&[mark, bytes].concat());
        assert_eq!(with(&[0xFF, 0xFE], &little), (text.into(), Some("UTF-16LE")));
        assert_eq!(with(&[0xFE, 0xFF], &big), (text.into(), Some("UTF-16BE")));
        assert_eq!(with(b"\xEF\xBB\xBF", text.as_bytes()), (text.into(), None));
        assert_eq!(read(text.as_bytes()), (text.into(), None));
        assert_eq!(read(&little), (text.into(), Some("UTF-16LE")));
        assert_eq!(read(&big), (text.into(), Some("UTF-16BE")));
    }

    #[test]
    fn other_texts_are_read_by_the_likeliest_encoding() {
        let cases = [
            (
                WINDOWS_1252,
                "Die Pumpe läuft über 40 Stunden; die Prüfung kostete 120 € und ergab größere Schäden.",
            ),
            (SHIFT_JIS, "ポンプの弁が詰まったため、冷却水の流量が低下しました。原因は錆です。"),
            (EUC_KR, "펌프 밸브가 막혀 냉각수 유량이 감소했습니다. 원인은 녹입니다."),
            (GB18030, "水泵阀门堵塞，冷却水流量下降。根本原因是生锈，已经更换阀门。"),
        ];
        for (encoding, text) in cases {
            let (bytes, _, _) = encoding.encode(text);
            let (read, told) = read(&bytes);
            assert_eq!(read, text, "{told:?}");
            assert!(told.is_some());
        }
    }

    #[test]
    fn a_control_character_in_a_long_text_is_read_with_it() {
        let text = format!("A page may hide `java\u{1}script`. {}", "It is told. ".repeat(90));
        assert_eq!(read(text.as_bytes()).0, text);
        assert!(decoded(&text.as_bytes()[..500]).is_err(), "one in 500 bytes");
        assert!(decoded(text.replace('\u{1}', "\0").as_bytes()).is_err());
    }

    #[test]
    fn what_is_no_text_is_told_by_its_first_wrong_byte() {
        assert_eq!(decoded(b"a\0b").unwrap_err(), "is not text: byte 1 is NUL");
        let told = decoded(b"caf\xe9 \x01\x02").unwrap_err();
        assert_eq!(told, "is not text: byte 5 is the control character 1");
        assert_eq!(read(b"\x1b[31mred\x1b[0m\x0c").1, None);
    }
}
