//! Bits of a byte string, the highest first, as the headers of MPEG's codecs are written.

/// The bytes, and the next bit.
pub(super) struct Bits<'a>(pub(super) &'a [u8], pub(super) usize);

impl Bits<'_> {
    /// So many bits, at most 32.
    pub(super) fn take(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.0.get(self.1 / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.1 % 8) & 1);
            self.1 += 1;
        }
        Some(value)
    }
    pub(super) fn flag(&mut self) -> Option<bool> {
        self.take(1).map(|bit| bit > 0)
    }
    pub(super) fn skip(&mut self, count: usize) {
        self.1 = self.1.saturating_add(count);
    }
    /// A number of Exp-Golomb, without sign (ITU-T H.264, 9.1): as many zeros as bits follow the one behind them.
    pub(super) fn golomb(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.take(1)? == 0 {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        Some((1_u32 << zeros) - 1 + self.take(zeros)?)
    }
    /// The same with a sign: 0, 1, -1, 2, -2, …
    pub(super) fn signed_golomb(&mut self) -> Option<i64> {
        let number = i64::from(self.golomb()?);
        Some(if number % 2 == 0 { -number / 2 } else { (number + 1) / 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn exp_golomb_is_as_the_standard_lists_it() {
        // 1 · 010 · 011 · 00100 · 00101, as in table 9-2.
        let bytes = [0b1010_0110, 0b0100_0010, 0b1000_0000];
        let mut bits = Bits(&bytes, 0);
        let read: Vec<_> = (0..5).map(|_| bits.golomb()).collect();
        assert_eq!(read, [Some(0), Some(1), Some(2), Some(3), Some(4)]);
        let mut bits = Bits(&bytes, 0);
        let read: Vec<_> = (0..5).map(|_| bits.signed_golomb()).collect();
        assert_eq!(read, [Some(0), Some(1), Some(-1), Some(2), Some(-2)]);
        assert_eq!(Bits(&[0; 8], 0).golomb(), None, "more zeros than a number has");
        assert_eq!(Bits(&[1], 7).golomb(), Some(0));
        assert_eq!(Bits(&[1], 8).golomb(), None, "the end");
    }
}
