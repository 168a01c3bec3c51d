import type { ServiceError } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Address, CheckedSettings } from '../settings/check-settings.ts';
import type { TelephonyError } from '../telephony-error.ts';
import { oneLine, truncate } from '../text/format.ts';
import { isObject, type Json, parseObject } from '../text/json.ts';
import { serviceError } from './error-sentence.ts';
import { toNumber } from './read-record.ts';
import { withoutSecrets } from './without-secrets.ts';

/** A fault has a few hundred characters. In a much longer text, the search for its end would be slow. */
const maxLength = 10_000;

const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff;

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, ten, hex, name) => {
    const code = ten ? Number(ten) : Number.parseInt(hex, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : (characters[name] ?? whole);
  });
}

/** The contents of the elements that contain only text, by their names in JSON. */
function textsIn(xml: string): Json {
  const elements = [...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
  return Object.fromEntries(
    elements.map(([, name = '', text = '']) => [name.toLowerCase(), unescaped(text)]),
  );
}

/**
 * Parses a fault in XML, which the service sends if it can't tell that the request was for JSON.
 *
 * @returns the fault as it would be in JSON; undefined for any other text
 */
export function readXmlFault(text: string): Json | undefined {
  const [, fault] = /<RestException>(.*?)<\/RestException>/s.exec(text.slice(0, maxLength)) ?? [];
  return fault === undefined ? undefined : textsIn(fault);
}

/** An error as the service describes it. */
export interface ServiceFault {
  /** The service's code: a number if it looks like one, because some services send text and some have codes such as S1001. */
  serviceCode: number | string | undefined;
  /** The entry of the code in `errors.json`, if it is one of the official service's. */
  known: ServiceError | undefined;
  serviceMessage: string | undefined;
  /** The wire names of the parameters that it is about. */
  parameters: string[];
}

/** The service's code for an unknown record or account. A service that doesn't have the path at all sends no such code. */
export const unknownResourceCode = 20404;

/** Whether the service is the right one, but has no such account: with a path in the base URL, the path may be unknown. */
export const isUnknownAccount = (
  { origin, accountPath, root }: Address,
  { serviceCode }: Pick<ServiceFault, 'serviceCode'>,
): boolean => serviceCode === unknownResourceCode && root === origin + accountPath;

const maxMessageLength = 300;
const maxCodeLength = 64;
const maxFaults = 10;
const maxDepth = 5;

// Must run before the text is truncated: half a secret would not be found.
const cleanText = (settings: CheckedSettings, value: unknown) =>
  oneLine(withoutSecrets(settings, value) ?? '');

/** The keys of a fault's message, explanations before titles. */
const messageKeys = [
  ...['message', 'error_message', 'error_description', 'detail', 'description'],
  ...['title', 'error'],
];
const codeKeys = ['code', 'error_code'];

/** Returns the first non-empty text among some keys. */
const firstText = (fault: Json, ...keys: string[]) =>
  keys.map((key) => fault[key]).find((value) => typeof value === 'string' && value.trim() !== '');

function parameterOf(fault: Json) {
  const sources = [fault, isObject(fault.source) ? fault.source : {}];
  return sources.map((source) => firstText(source, 'pointer', 'parameter')).find(Boolean);
}

/**
 * Returns the message of one fault and its parameter, in the format of RFC 9457, JSON:API and others: `{ detail, pointer }`,
 * `{ detail, source: { pointer } }`, `{ message }`.
 */
function messageOf(fault: Json): unknown {
  const message = firstText(fault, ...messageKeys);
  const parameter = parameterOf(fault);
  return message && parameter ? `${message} (${parameter})` : message;
}

/** Returns the number of a numeric code; undefined for a code in another notation, such as 1E10 or 007. */
function codeNumber(code: unknown) {
  const number = toNumber(code);
  return number !== null && String(number) === String(code).trim() ? number : undefined;
}

const codesIn = (fault: Json) => codeKeys.map((key) => fault[key]);

const codeOf = (settings: CheckedSettings, fault: Json) =>
  codesIn(fault)
    .map(
      (code) =>
        codeNumber(code) ?? (truncate(cleanText(settings, code), maxCodeLength) || undefined),
    )
    .find((code) => code !== undefined);

/** Whether a fault has the official service's format. The errors of JSON:API have a title, and codes with another meaning. */
const isOfficial = (fault: Json, body: Json) => fault === body || !firstText(fault, 'title');

/** The keys at which a fault may contain others. */
const nestingKeys = ['errors', 'error', 'message'];

/** Returns the faults that a fault contains, without its own message. */
const nestedFaults = (fault: Json, depth: number) =>
  nestingKeys
    .filter((key) => key === 'errors' || typeof fault[key] !== 'string')
    .flatMap((key) => faultsIn(fault[key], undefined, depth));

/** Returns the faults of a value: a text, a fault, an array of these, or these by parameter, such as `{ To: [text] }`. */
function faultsIn(value: unknown, parameter: string | undefined, depth: number): Json[] {
  if (typeof value === 'string') return [{ message: value, parameter }];
  if (depth === maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((one) => faultsIn(one, parameter, depth + 1));
  if (!isObject(value)) return [];
  if (messageOf(value) || firstText(value, ...codeKeys) || codesIn(value).some(toNumber))
    return [{ parameter, ...value }, ...nestedFaults(value, depth + 1)];
  return Object.entries(value).flatMap(([key, one]) =>
    faultsIn(one, nestingKeys.includes(key) ? parameter : key, depth + 1),
  );
}

/**
 * Reads the service's own description of an error: a sentence, an RFC 9457 problem with all of its `errors`, a fault within an `error`, or
 * plain texts in an array or by parameter; in JSON or XML.
 *
 * @param settings the account, whose credentials are removed
 * @param text the body of the response
 */
export function serviceFault(settings: CheckedSettings, text: string): ServiceFault {
  const body = parseObject(text) ?? readXmlFault(text) ?? {};
  const faults = [body, ...nestedFaults(body, 0).slice(0, maxFaults)];
  const messages = new Set(
    faults.map((one) => cleanText(settings, messageOf(one))).filter(Boolean),
  );
  const coded = faults
    .map((fault) => ({ fault, code: codeOf(settings, fault) }))
    .find(({ code }) => code !== undefined);
  return {
    serviceCode: coded?.code,
    known: coded && isOfficial(coded.fault, body) ? serviceError(coded.code) : undefined,
    serviceMessage: truncate([...messages].join('; '), maxMessageLength) || undefined,
    parameters: faults.flatMap((fault) =>
      String(parameterOf(fault) ?? '')
        .split('/')
        .slice(-1),
    ),
  };
}

const otherLimitCodes = new Set<unknown>(
  definitions.errors.filter(({ otherLimit }) => otherLimit).map(({ code }) => code),
);

/**
 * Whether a request exceeded another limit than that of requests, such as the messages per day. Other requests of the account may still
 * be sent.
 */
export const isOtherLimit = ({ serviceCode }: TelephonyError): boolean =>
  otherLimitCodes.has(serviceCode);
