import type { Said, SaidTime, Sentence } from '../text/sentence.ts';
import type { RowItem } from './row-item.ts';

/**
 * A reason as it is stored: a text, a sentence, or a list. The first use of a sentence among some rows has its text, the others the number
 * of that text. Names and values follow in turn, because a database may reorder the keys of an object.
 */
type PackedReason =
  | string
  | SaidTime
  | PackedSentence
  | { all: PackedReason[] }
  | { first: PackedReason };
type PackedSentence = [
  text: string | number,
  ...values: (string | { count: number } | PackedReason)[],
];

/** A row, or what changes of one, as it is stored. */
export type Packed<Row> = Omit<Row, 'message'> & { message?: PackedReason };

/** Packs the reasons of rows that are stored together, so that they take less space than as texts. */
export function packReasons<Row extends Partial<RowItem>>(rows: Row[]): Packed<Row>[] {
  const numbers = new Map<string, number>();

  function packText(text: string): string | number {
    const number = numbers.get(text);
    if (number !== undefined) return number;
    numbers.set(text, numbers.size);
    return text;
  }

  function pack(said: Said): PackedReason {
    if (typeof said === 'string' || 'time' in said) return said;
    if (Array.isArray(said)) return { all: said.map(pack) };
    const { part, ...whole } = said;
    if (part) return { first: pack(whole) };
    // The text is packed before the values, as it is unpacked.
    const packed: PackedSentence = [packText(said.text)];
    for (const [name, value] of Object.entries(said.values ?? {}))
      packed.push(name, typeof value === 'number' ? { count: value } : pack(value));
    return packed;
  }

  return rows.map((row) => {
    const { message, ...rest } = row;
    return message === undefined ? rest : { ...rest, message: pack(message) };
  });
}

/** Returns rows as they were before they were packed. Earlier versions stored reasons as texts. */
export function unpackReasons<Row extends Partial<RowItem>>(rows: Packed<Row>[]): Row[] {
  const texts: string[] = [];

  function textOf(text: string | number): string {
    if (typeof text === 'string') texts.push(text);
    return typeof text === 'string' ? text : (texts[text] ?? '');
  }

  function unpack(packed: PackedReason): Said {
    if (typeof packed === 'string' || 'time' in packed) return packed;
    if (!Array.isArray(packed))
      return 'all' in packed
        ? packed.all.map(unpack)
        : { ...(unpack(packed.first) as Sentence), part: 'first sentence' };
    const [text, ...rest] = packed;
    const said: Sentence = { text: textOf(text) };
    if (rest.length > 0) said.values = {};
    for (let at = 0; at < rest.length; at += 2) {
      const value = rest[at + 1] as { count: number } | PackedReason;
      const isCount = typeof value === 'object' && 'count' in value;
      Object.assign(said.values ?? {}, {
        [String(rest[at])]: isCount ? value.count : unpack(value),
      });
    }
    return said;
  }

  return rows.map(({ message, ...row }) =>
    message === undefined ? row : { ...row, message: unpack(message) },
  ) as unknown as Row[];
}
