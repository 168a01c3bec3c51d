import type { Field } from '../../generated/definition-types.ts';
import { oncePer } from '../async/once.ts';
import { endsAtMidnight } from '../definition/fields.ts';
import { isAction, isDeletion, type Operation } from '../definition/operation.ts';
import { dayAfter, isDay } from '../field-types/days.ts';
import type { Values } from '../input/check-values.ts';
import { addressOf, type CheckedSettings } from '../settings/check-settings.ts';
import { twiml } from '../text/twiml.ts';
import type { Request } from '../wire/send-request.ts';

type Pair = [name: string, value: string];

const fieldsIn = (place: Field['in'], { fields }: Operation) =>
  fields.filter((field) => field.in === place);

// A day is the whole day.
const wireValue = (field: Field, value: unknown): string =>
  endsAtMidnight(field) && isDay(value) ? dayAfter(value) : String(value);

const pairsOf = (fields: Field[], values: Values): Pair[] =>
  fields
    .filter(({ key }) => values[key] !== undefined)
    .flatMap((field) => {
      const value = wireValue(field, values[field.key]);
      return (field.maxValues ? value.split('\n') : [value]).map((one): Pair => [field.name, one]);
    });

// URLSearchParams encodes a space as a plus sign, as forms do. Strict servers don't decode it in a query.
const queryOf = (pairs: Pair[]) =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

/** Returns a function that fills the values into an operation's path. */
function compilePath(operation: Operation): (values: Values) => string {
  const keys = new Map(fieldsIn('path', operation).map(({ name, key }) => [name, key]));
  const [start = '', ...rest] = operation.request.path.split('{');
  const parts = rest.map((part) => {
    const [name = '', text = ''] = part.split('}');
    return { key: keys.get(name) ?? '', text };
  });
  return (values) =>
    parts.reduce(
      (path, { key, text }) => path + encodeURIComponent(values[key] ?? '') + text,
      start,
    );
}

/** Computes, once per operation, what doesn't depend on its values. */
const compile = oncePer((operation: Operation) => {
  const { method } = operation.request;
  const path = compilePath(operation);
  const query = fieldsIn('query', operation);
  const form = fieldsIn('form', operation);
  const report = isAction(operation) ? operation.reported : undefined;
  const fixed = Object.entries(operation.request.fixed ?? {});
  const attributes = fieldsIn('speech', operation);
  const speeches = new Set(form.filter(({ type }) => type === 'speech').map(({ name }) => name));
  const steps = report?.with?.values.map((value): Pair => [report.with?.name ?? '', value]) ?? [];
  const bodyOf = (values: Values, statusCallback: string | undefined) => {
    const callback: Pair[] =
      report && statusCallback ? [[report.to, statusCallback], ...steps] : [];
    const entered = pairsOf(form, values).map(
      ([name, value]): Pair => [
        name,
        speeches.has(name)
          ? twiml([{ name: 'Say', text: value, attributes: pairsOf(attributes, values) }])
          : value,
      ],
    );
    return new URLSearchParams([...entered, ...fixed, ...callback]).toString();
  };
  return (root: string, values: Values, statusCallback: string | undefined): Request => {
    const search = queryOf([...pairsOf(query, values), ...(isAction(operation) ? [] : fixed)]);
    return {
      method,
      url: root + path(values) + (search && `?${search}`),
      body:
        isAction(operation) && !isDeletion(operation) ? bodyOf(values, statusCallback) : undefined,
    };
  };
});

/**
 * Builds the request of an operation. Pure: the same values give the same request.
 *
 * @param settings the account
 * @param operation the definition
 * @param values the checked values by key
 * @param statusCallback the webhook URL at which the service reports the status of an action
 * @throws {TelephonyError} with code `settings` if the operation is on a host that isn't known
 */
export const buildRequest = (
  settings: CheckedSettings,
  operation: Operation,
  values: Values,
  statusCallback?: string,
): Request => compile(operation)(addressOf(settings, operation).root, values, statusCallback);
