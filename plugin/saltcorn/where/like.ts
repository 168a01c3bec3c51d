import type { Pattern } from '../../../src/builder.ts';

const wordBits = 32;

/**
 * Compiles a pattern of SQL's `like`, which ignores case: `%` is any text, `_` any character. A match takes time in proportion to the
 * length of the text, and once more for each 32 characters of the pattern: bit n of a set means that its first n characters match.
 */
export function like(pattern: string): Pattern {
  const parts = [...pattern.toLowerCase()];
  const length = parts.filter((part) => part !== '%').length;
  const noBits = () => new Uint32Array(Math.floor(length / wordBits) + 1);
  const has = (bits: Uint32Array, bit: number) =>
    (((bits[Math.floor(bit / wordBits)] ?? 0) >>> (bit % wordBits)) & 1) === 1;
  const add = (bits: Uint32Array, bit: number) => {
    const word = Math.floor(bit / wordBits);
    bits[word] = (bits[word] ?? 0) | (1 << (bit % wordBits));
    return bits;
  };
  /** The bits that stay set at any character, and those that any and a certain character can set. */
  const [kept, setByAny, setBy] = [noBits(), noBits(), new Map<string, Uint32Array>()];
  let bit = 0;
  for (const part of parts)
    if (part === '%') add(kept, bit);
    else {
      bit += 1;
      if (part === '_') add(setByAny, bit);
      else setBy.set(part, add(setBy.get(part) ?? noBits(), bit));
    }
  for (const [character, bits] of setBy)
    setBy.set(
      character,
      bits.map((word, index) => word | (setByAny[index] ?? 0)),
    );
  return {
    test: (text) => {
      const characters = [...text.toLowerCase()];
      if (characters.length < length) return false;
      const matching = add(noBits(), 0);
      for (const character of characters) {
        const settable = setBy.get(character) ?? setByAny;
        let carry = 0;
        for (let word = 0; word < matching.length; word += 1) {
          const before = matching[word] ?? 0;
          const shifted = (before << 1) | carry;
          matching[word] = (shifted & (settable[word] ?? 0)) | (before & (kept[word] ?? 0));
          carry = before >>> (wordBits - 1);
        }
      }
      return has(matching, length);
    },
  };
}
