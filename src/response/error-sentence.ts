import type { Action, ServiceError } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { recordShape } from '../definition/operation.ts';
import { TelephonyError } from '../telephony-error.ts';
import {
  inEnglish,
  type Said,
  type Say,
  type Sentence,
  sentence,
  sentences,
} from '../text/sentence.ts';

const catalogue = new Map(
  definitions.errors.map((error): [string, ServiceError] => [String(error.code), error]),
);

/** Returns the entry of a service's error code in `errors.json`; undefined if it isn't listed. */
export const serviceError = (code: unknown): ServiceError | undefined =>
  catalogue.get(String(code));

/**
 * Returns the sentence for one of the service's error codes, such as why a message was not delivered and what to do.
 *
 * @param code the code, as a number or as text
 * @returns undefined for an unknown code
 */
export const errorSentence = (code: string | number): string | undefined =>
  serviceError(code)?.sentence;

/** Returns why the service refuses the recipient whatever is sent; undefined for all other errors. */
export const recipientRefusal = (error: unknown) =>
  error instanceof TelephonyError ? serviceError(error.serviceCode)?.recipient : undefined;

/** The longest value that is shown in full, in characters. */
const maxLength = 80;

function shorten(value: unknown): string {
  const characters = [...String(value ?? '').replace(/\s+/g, ' ')];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

/** When the service will send what it keeps for later: its response doesn't say. */
const sendTimes = new WeakMap<object, Date>();

/** Notes when the service will send what a record is about, for the success message. */
export const noteSendTime = (record: object, time: Date): void => {
  sendTimes.set(record, time);
};

/**
 * Returns the success message of an action, on one line. Replaces each `{key}` by the record's value, shortened to 80 characters.
 * Of a message that the service sends later, it says when.
 *
 * @param action the definition
 * @param record what the action returned
 * @param say writes it in the language of the person
 */
export function doneSentence(
  { done, result }: Action,
  record: object,
  say: Say = inEnglish,
): string {
  const keys = [...done.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
  const { fields } = recordShape(result.of);
  const shown = (key: string): Said => {
    const text = shorten(Reflect.get(record, key));
    // A word of the service has a translation.
    return fields.some((field) => field.key === key && field.options?.includes(text))
      ? { text }
      : text;
  };
  const values = keys.map((key) => [key, shown(key)]);
  const text = { text: done, values: Object.fromEntries(values) };
  const time = sendTimes.get(record);
  return say(time ? sentences(text, sentence('It will be sent on {time}.', { time })) : text);
}

/**
 * Returns the question to ask a person before an action runs; undefined if it can be undone.
 *
 * @param action the definition
 * @param input its values by key
 */
export const questionOf = ({ asks, fields }: Action, input: object): Sentence | undefined =>
  asks === undefined
    ? undefined
    : {
        text: asks,
        values: Object.fromEntries(
          fields.map(({ key }) => [key, shorten(Reflect.get(input, key))]),
        ),
      };
