import type { ServiceError } from '../../generated/definition-types.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { serviceError } from './error-sentence.ts';
import { isObject, type Json, parseObject } from './json.ts';
import { toNumber } from './read-record.ts';
import { readXmlFault } from './read-xml-fault.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a service says is wrong, in the words of its own. */
export interface ServiceFault {
  /** A number where it is one: some services send it as text, and some have codes such as S1001. */
  serviceCode: number | string | undefined;
  /** What is known of the code, where it is one of the official service's. */
  known: ServiceError | undefined;
  serviceMessage: string | undefined;
  /** The wire names of the parameters that it is about. */
  parameters: string[];
}

/** The service's code for a record or an account that it does not know. Who lacks the whole path says it otherwise. */
export const unknownResource = 20404;

const longestText = 300;
const longestCode = 64;
const mostFaults = 10;
const deepest = 5;

/** What ends a line, or turns around what stands behind it. */
const gaps = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

// Half a character would make the whole text one that databases refuse.
const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

// Secrets go first: cut in two, they would not be found.
const cleanText = (settings: CheckedSettings, value: unknown) =>
  withoutSecrets(settings, value)?.toWellFormed().replace(gaps, ' ').trim() ?? '';

/** Where the words of a fault are: what explains them before their title. */
const wordKeys = [
  ...['message', 'error_message', 'error_description', 'detail', 'description'],
  ...['title', 'error'],
];
const codeKeys = ['code', 'error_code'];

/** What stands at the first of some keys that holds a text. */
const textAt = (fault: Json, ...keys: string[]) =>
  keys.map((key) => fault[key]).find((value) => typeof value === 'string' && value.trim() !== '');

function aboutOf(fault: Json) {
  const places = [fault, isObject(fault.source) ? fault.source : {}];
  return places.map((place) => textAt(place, 'pointer', 'parameter')).find(Boolean);
}

/**
 * What one fault says, and of which parameter, as RFC 9457, JSON:API and others write it: `{ detail, pointer }`,
 * `{ detail, source: { pointer } }`, `{ message }`.
 */
function wordsOf(fault: Json): unknown {
  const words = textAt(fault, ...wordKeys);
  const about = aboutOf(fault);
  return words && about ? `${words} (${about})` : words;
}

/** The number that a code is; undefined also for one that only could be read as a number, such as 1E10 or 007. */
function codeNumber(code: unknown) {
  const number = toNumber(code);
  return number !== null && String(number) === String(code).trim() ? number : undefined;
}

const codesIn = (fault: Json) => codeKeys.map((key) => fault[key]);

const codeOf = (settings: CheckedSettings, fault: Json) =>
  codesIn(fault)
    .map((code) => codeNumber(code) ?? (cut(cleanText(settings, code), longestCode) || undefined))
    .find((code) => code !== undefined);

/** Whether it is in the form of the official service: the errors of JSON:API have a number of another one, and a title. */
const isOfficial = (fault: Json, body: Json) => fault === body || !textAt(fault, 'title');

/** Where a fault may hold others. */
const holders = ['errors', 'error', 'message'];

/** The faults within one, apart from its own words. */
const heldBy = (fault: Json, depth: number) =>
  holders
    .filter((key) => key === 'errors' || typeof fault[key] !== 'string')
    .flatMap((key) => faultsIn(fault[key], undefined, depth));

/** The faults that something is: a text, a fault, a list of these, or these by parameter, such as `{ To: [text] }`. */
function faultsIn(value: unknown, parameter: string | undefined, depth: number): Json[] {
  if (typeof value === 'string') return [{ message: value, parameter }];
  if (depth === deepest) return [];
  if (Array.isArray(value)) return value.flatMap((one) => faultsIn(one, parameter, depth + 1));
  if (!isObject(value)) return [];
  if (wordsOf(value) || textAt(value, ...codeKeys) || codesIn(value).some(toNumber))
    return [{ parameter, ...value }, ...heldBy(value, depth + 1)];
  return Object.entries(value).flatMap(([key, one]) =>
    faultsIn(one, holders.includes(key) ? parameter : key, depth + 1),
  );
}

/**
 * What a refusal says in words of the service's own: a sentence, a problem as RFC 9457 has it with all of its `errors`, a
 * fault within an `error`, or errors that are plain texts, in a list or by parameter; also where the service says it in XML.
 *
 * @param settings whose credentials must not be in it
 * @param text the body of the answer
 */
export function serviceFault(settings: CheckedSettings, text: string): ServiceFault {
  const body = parseObject(text) ?? readXmlFault(text) ?? {};
  const faults = [body, ...heldBy(body, 0).slice(0, mostFaults)];
  const words = new Set(faults.map((one) => cleanText(settings, wordsOf(one))).filter(Boolean));
  const coded = faults
    .map((fault) => ({ fault, code: codeOf(settings, fault) }))
    .find(({ code }) => code !== undefined);
  return {
    serviceCode: coded?.code,
    known: coded && isOfficial(coded.fault, body) ? serviceError(coded.code) : undefined,
    serviceMessage: cut([...words].join('; '), longestText) || undefined,
    parameters: faults.flatMap((fault) =>
      String(aboutOf(fault) ?? '')
        .split('/')
        .slice(-1),
    ),
  };
}
