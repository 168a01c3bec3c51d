import { inSlices } from '../async/in-slices.ts';
import { oncePer, onceWithin } from '../async/once.ts';
import { within } from '../async/within.ts';
import {
  listSource,
  type Operation,
  operation,
  operations,
  recordShape,
} from '../definition/operation.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { oneLine, truncate } from '../text/format.ts';
import { parseObject } from '../text/json.ts';
import { type Said, sentence } from '../text/sentence.ts';

/** A value that a field offers. Users can also enter any other. */
export interface FieldChoice {
  value: string;
  /** Its label for users; the value itself if it has no other name. */
  label: string;
}

/** The choices of a field, for its input in a form. */
export interface OfferedChoices {
  choices: FieldChoice[];
  /** Why there are none, as a message to the user, who can still fill in the field. */
  problem?: Said;
}

/** The part of an account that reads choices. */
export type ChoiceReader = Pick<Telephony, 'pages'>;

/** The maximum number of records for a list of choices: those of one request. */
const mostRecords = 1000;

/**
 * How long a read is shared, and how long it may take, in milliseconds. Choices are optional, so a form doesn't wait
 * longer.
 */
const freshMs = 10_000;

/** The longest label of a choice that has a description. */
const mostCharacters = 160;

const timeoutMs = 8_000;

/** How long a description is waited for, in milliseconds: what it describes can be used without. */
const describeMs = 3_000;

/** The first records of a list, and whether it has more. */
interface FirstPage {
  records: readonly TelephonyRecord[];
  more: boolean;
}

const readsOf = oncePer((_: ChoiceReader) => onceWithin<FirstPage>(freshMs));

async function firstPage(telephony: ChoiceReader, source: string): Promise<FirstPage> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const pages = telephony.pages(source, {}, { limit: mostRecords, signal });
    for await (const page of pages) return page;
    return { records: [], more: false };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TelephonyError(
      'timeout',
      sentence('The service did not respond within {seconds} s.', { seconds: timeoutMs / 1000 }),
    );
  }
}

type Choices = NonNullable<Operation['fields'][number]['choices']>;

async function choicesOf(telephony: ChoiceReader, choices: Choices): Promise<FieldChoice[]> {
  const { source, value: valueKey, label: labelKey, about: aboutKey, if: needed } = choices;
  const { records } = await readsOf(telephony)(source, () => firstPage(telephony, source));
  const offered = records.filter((record) => needed === undefined || record[needed]);
  return offered.flatMap(({ [valueKey]: value, [labelKey]: named, ...record }) => {
    const { [aboutKey ?? '']: about } = record;
    const label = String(named || value);
    const described = about ? truncate(oneLine(`${label}: ${about}`), mostCharacters) : label;
    return value ? [{ value: String(value), label: described }] : [];
  });
}

/**
 * Lists the values that a field offers, such as the account's own numbers that can send SMS. Costs one request, shared for ten seconds.
 *
 * @param telephony the account
 * @param id the operation
 * @param key the key of its field
 * @throws {TelephonyError} with code `input` if the field offers none, `timeout` after 8 seconds, or the error of the read
 */
export async function fieldChoices(
  telephony: ChoiceReader,
  id: string,
  key: string,
): Promise<FieldChoice[]> {
  const one = operation(id);
  const field = one.fields.find((each) => each.key === key);
  if (!field?.choices)
    throw new TelephonyError('input', `"${one.name}" has no choices for "${key}".`);
  return choicesOf(telephony, field.choices);
}

const labelOf = (source: string, key: string) =>
  recordShape(listSource(source).result.of).fields.find((field) => field.key === key)?.label ?? key;

/** A description of a chosen value, such as the text of a template. */
export interface ChoiceText {
  label: string;
  /** None if it could not be loaded in time. */
  text?: string;
}

/** What some rows lack: a value that fills the description of their choice, or a choice that exists. */
export interface ChoiceGap {
  /** The label and the value of the choice. */
  label: string;
  value: string;
  /** The name of the missing value; none if the account doesn't have the choice. */
  name?: string;
  /** What the service uses instead of the missing value. */
  example?: string;
  who: string[];
}

/** A row, and its checked values by key. */
type ChoosingRow = { who: string; values: Readonly<Record<string, unknown>> };

/** The values of a map by name. */
const mapIn = (value: unknown) => new Map(Object.entries(parseObject(String(value ?? '')) ?? {}));

const placeholder = /\{\{(\w+)\}\}/g;

/** Reads what describes the choices of a source; undefined if that takes too long. */
const descriptionsIn = (telephony: ChoiceReader, source: string) =>
  within<FirstPage | undefined>(
    describeMs,
    readsOf(telephony)(source, () => firstPage(telephony, source)).catch(() => ({
      ...{ records: [], more: true },
    })),
    () => undefined,
  );

/** The description of what a row chose, and the values that it lacks for it. */
function describe(
  record: TelephonyRecord,
  { about = '', filledBy = '', examples = '' }: Choices,
  values: ChoosingRow['values'],
) {
  const text = String(record[about] ?? '');
  const used = mapIn(record[examples]);
  const filling = mapIn(values[filledBy]);
  const names = new Set([...text.matchAll(placeholder)].map(([, name = '']) => name));
  return {
    lacks: [...names]
      .filter((name) => !filling.has(name))
      .map((name) => ({ name, ...(used.has(name) && { example: String(used.get(name)) }) })),
    text: text.replace(placeholder, (found, name) =>
      String(filling.get(name) ?? used.get(name) ?? found),
    ),
  };
}

/**
 * Describes what the first of some rows chose, with the values that fill the description, and finds what rows lack. Costs one request,
 * shared for ten seconds.
 *
 * @returns nothing of what can't be read, because it is optional
 */
export async function choiceTexts(
  telephony: ChoiceReader,
  { fields }: Operation,
  rows: readonly ChoosingRow[],
): Promise<{ texts: ChoiceText[]; gaps: ChoiceGap[] }> {
  const texts: ChoiceText[] = [];
  const gaps = new Map<string, ChoiceGap>();
  const note = (gap: Omit<ChoiceGap, 'who'>, who: string) => {
    const id = JSON.stringify([gap.label, gap.value, gap.name]);
    const known = gaps.get(id) ?? { ...gap, who: [] };
    known.who.push(who);
    gaps.set(id, known);
  };
  for (const { key, label, choices } of fields) {
    const choosing = rows.filter(({ values }) => values[key] !== undefined);
    const [first] = choosing;
    if (!choices?.about || !first) continue;
    const about = labelOf(choices.source, choices.about);
    const page = await descriptionsIn(telephony, choices.source);
    if (!page) {
      texts.push({ label: about });
      continue;
    }
    const records = new Map(page.records.map((record) => [record[choices.value], record]));
    await inSlices(choosing, ({ who, values }) => {
      const value = String(values[key]);
      const record = records.get(value);
      if (!record) {
        if (!page.more) note({ label, value }, who);
        return;
      }
      const { text, lacks } = describe(record, choices, values);
      for (const lack of lacks) note({ label, value, ...lack }, who);
      if (values === first.values && text !== '') texts.push({ label: about, text });
    });
  }
  return { texts, gaps: [...gaps.values()] };
}

/** Lists the values that any operation offers as the sender, for an account's default sender. */
async function senderChoices(telephony: ChoiceReader): Promise<FieldChoice[]> {
  const senders = operations.flatMap(({ fields }) =>
    fields.flatMap(({ purpose, choices }) => (purpose === 'sender' && choices ? [choices] : [])),
  );
  const offered = await Promise.all(senders.map((choices) => choicesOf(telephony, choices)));
  return [...new Map(offered.flat().map((one) => [one.value, one])).values()];
}

/**
 * Lists the choices for an input of a builder's form, as its browser requests them. An error becomes the problem that the form shows.
 * Costs what `fieldChoices` costs.
 *
 * @param open opens the account
 * @param operation the id of the operation; undefined for the default sender
 * @param field the key of the field
 */
export async function offeredChoices(
  open: () => Promise<ChoiceReader>,
  operation?: unknown,
  field?: unknown,
): Promise<OfferedChoices> {
  try {
    const telephony = await open();
    return {
      choices:
        operation === undefined
          ? await senderChoices(telephony)
          : await fieldChoices(telephony, String(operation), String(field)),
    };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { choices: [], problem: error.said };
  }
}
