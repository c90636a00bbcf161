//! The size of a PDF's object streams, which are unpacked all together when it is loaded
//! (ISO 32000-1, 7.5.7).

use std::io::{self, Read};

use flate2::read::ZlibDecoder;

/// Returns true if the object streams unpack to more than `most` bytes together. Streams of other
/// filters than Flate cannot grow much and do not count.
pub(super) fn grow_beyond(bytes: &[u8], most: usize) -> bool {
    let mut left = most as u64;
    for packed in object_streams(bytes) {
        let mut unpacked = ZlibDecoder::new(packed).take(left + 1);
        // What is damaged counts up to the damage.
        let mut counted = Counted(0);
        let _ = io::copy(&mut unpacked, &mut counted);
        if counted.0 > left {
            return true;
        }
        left -= counted.0;
    }
    false
}

struct Counted(u64);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns what begins at each object stream. Letters of a name may be written as `#53`, so a
/// dictionary with such letters may be one.
fn object_streams(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        loop {
            let at = find(rest, b"stream")?;
            let (before, after) = (&rest[..at], &rest[at + b"stream".len()..]);
            rest = after;
            let begin = before.windows(4).rposition(|word| word == b" obj").unwrap_or_default();
            let dictionary = &before[begin..];
            if find(dictionary, b"ObjStm").is_some() || dictionary.contains(&b'#') {
                let line = after.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                return Some(&after[line.min(2)..]);
            }
        }
    })
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// Returns a stream with this dictionary that unpacks to `size` bytes.
    fn stream(dictionary: &str, size: usize) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&b"1 0 ".repeat(size / 4)).unwrap();
        let packed = encoder.finish().unwrap();
        let mut bytes = format!("1 0 obj<<{dictionary}/Filter/FlateDecode>>stream\n").into_bytes();
        bytes.extend(packed);
        bytes.extend(b"\nendstream endobj\n");
        bytes
    }

    #[test]
    fn object_streams_count_together_however_their_names_are_written() {
        const MIB: usize = 1 << 20;
        for dictionary in ["/Type/ObjStm", "/Type /Obj#53tm"] {
            let file = stream(dictionary, MIB).repeat(8);
            assert!(grow_beyond(&file, 8 * MIB - 1), "{dictionary}");
            assert!(!grow_beyond(&file, 8 * MIB), "{dictionary}");
        }
        let pages = stream("/Length 9", MIB).repeat(8);
        assert!(!grow_beyond(&pages, MIB), "the contents of pages are bounded elsewhere");
    }

    #[test]
    fn what_is_damaged_or_no_pdf_counts_up_to_the_damage() {
        for bytes in [&b""[..], b"stream", b"/ObjStm stream\nnothing packed"] {
            assert!(!grow_beyond(bytes, 10));
        }
    }
}
