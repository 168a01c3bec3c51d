import type { Execute } from 'n8n-workflow';
import { type Field, isBlank, isDay, rangeEnd, TelephonyError } from '../../../src/builder.ts';
import type { Sending } from '../action/action.ts';
import { reportUrl } from '../settings/credentials.ts';
import { type Form, fieldsOf, oncePer, optional, pairs, sendingOptions } from './properties.ts';

/** n8n's expressions can return a date of Luxon's. */
const plain = (value: unknown) =>
  typeof Object(value).toISO === 'function' ? Object(value).toISO() : value;

const timeWithoutZone = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/;

/** The time that a day means: its start or, as the end of a range, its end. */
const timeOfDay = (field: Field, value: unknown) =>
  isDay(value) ? `${value}T${rangeEnd(field) === 'end' ? '23:59:59' : '00:00:00'}` : value;

/** A day and a time without a zone, such as n8n's date picker returns, are in the workflow's time zone, as in n8n's own nodes. */
function withZone(context: Execute, value: unknown, item: number) {
  if (typeof value !== 'string' || !timeWithoutZone.test(value)) return value;
  const { DateTime } = context.getWorkflowDataProxy(item);
  const zone = context.getTimezone();
  return DateTime.fromISO(value.replace(' ', 'T'), { zone }).toISO() ?? value;
}

/** What a list or a text of a resource locator holds. */
const located = (value: unknown) =>
  Object(value).__rl === true ? (value as { value: unknown }).value : value;

const text = (value: unknown) => String(plain(value) ?? '');

/** The names and values that someone added one by one, as a map. A name that is there twice makes it invalid, as in a text. */
function mapped(added: unknown) {
  const all: { name: unknown; value: unknown }[] = Object(added)[pairs] ?? [];
  const entries = all.map(({ name, value }) => [text(name), text(value)] as const);
  if (entries.length === 0) return undefined;
  const isUnique = new Set(entries.map(([name]) => name)).size === entries.length;
  return isUnique ? Object.fromEntries(entries) : entries.map((one) => one.join('=')).join('\n');
}

const emptied = (label: string, field: string) =>
  new TelephonyError('input', `“${label}” is empty. Enter a value, or remove it.`, { field });

/**
 * Reads the options of an action. An empty one that was added is an error: without it, an item could be sent again.
 *
 * @throws {TelephonyError} with the `field` that has no value
 */
export function readSending(context: Execute, item: number): Sending & { statusCallback?: string } {
  const added = Object(context.getNodeParameter(sendingOptions, item, {}));
  for (const { name, displayName } of [oncePer, reportUrl])
    if (Object.hasOwn(added, name) && isBlank(added[name])) throw emptied(displayName, name);
  const given = plain(added[oncePer.name]);
  const key = typeof given === 'object' ? JSON.stringify(given) : String(given).trim();
  return { ...added, oncePer: isBlank(given) ? undefined : key };
}

/**
 * Reads the input of an operation or a reply for an item. A filter that was added but has no value is an error: without it, the list would have
 * everyone's records.
 *
 * @throws {TelephonyError} with the `field` that has no value
 */
export function readInput(context: Execute, form: Form, item: number): object {
  const added = Object(context.getNodeParameter(optional, item, {})) as Record<string, unknown>;
  const input: Record<string, unknown> = {};
  for (const field of fieldsOf(form)) {
    const { key, label } = field;
    const isAdded = Object.hasOwn(added, key);
    const given = plain(located(isAdded ? added[key] : context.getNodeParameter(key, item, null)));
    const value =
      field.type === 'date'
        ? withZone(context, timeOfDay(field, given), item)
        : field.type === 'map'
          ? mapped(given)
          : given;
    const isEmpty = isBlank(value) || (Array.isArray(value) && value.length === 0);
    if (isAdded && isEmpty) throw emptied(label, key);
    if (!isBlank(value)) input[key] = value;
  }
  return input;
}
