import { createContextVariablesScope } from '@nocobase/server';
import { parseFilter } from '@nocobase/utils';
import { type Sentence, sentence } from '../../../../src/builder.ts';
import { popupColumn } from '../../template.ts';
import type { Context } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { Forbidden } from './rights.ts';

/** A condition of a data scope, or a group of conditions. */
interface Condition {
  path?: unknown;
  operator?: unknown;
  value?: unknown;
  logic?: unknown;
  items?: unknown;
}

/** Reads the record of the popup that a block is in. */
export type PopupRecord = () => Promise<Record<string, unknown>>;

const variable = /\{\{/;
const onlyVariable = /^\s*\{\{\s*([^{}]+?)\s*\}\}\s*$/;
const ofUser = /^\s*\{\{\s*(?:ctx\.|\$)(user(?:\.\w+)+)\s*\}\}\s*$/;
const ofRole = /^\s*\{\{\s*(?:ctx\.role|\$nRole)\s*\}\}\s*$/;

const refused = (problem: Sentence) =>
  new Forbidden(
    sentence(
      "The data scope of this button's block {problem}. Your role may only use buttons whose rows NocoBase's server can check. Nothing was sent.",
      { problem },
    ),
  );

const unreadable = () => refused(sentence("has a condition that the plugin can't read"));

/** Translates a variable from its browser name to its server name. */
function onServer(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (!variable.test(text)) return value;
  const [, path] = ofUser.exec(text) ?? [];
  if (path) return `{{$${path}}}`;
  if (ofRole.test(text)) return '{{$nRole}}';
  throw refused(sentence('contains {value}, which only the browser knows', { value: text.trim() }));
}

/** The column of the popup's record that a variable refers to. */
const columnIn = (value: unknown) =>
  popupColumn(onlyVariable.exec(typeof value === 'string' ? value : '')?.[1] ?? '');

/** Reads a value of the popup's record. Drops objects, which NocoBase could read as operators. */
async function popupValue(column: string, popupRecord: PopupRecord): Promise<unknown> {
  const value = new Map(Object.entries(await popupRecord())).get(column);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? undefined : value;
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' ? Object.keys(value).length === 0 : value === '');

/** @returns undefined for a condition without a value, which blocks ignore */
async function filterOf(
  context: Context,
  { path, operator, value }: Condition,
  popupRecord: PopupRecord,
) {
  if (isEmpty(value)) return undefined;
  const [column, comparison] = [textOf(path), textOf(operator)];
  if (!column || !comparison) throw unreadable();
  const noValue = () =>
    refused(
      sentence('contains {value}, which has no value for you', { value: String(value).trim() }),
    );
  const popupsColumn = columnIn(value);
  if (popupsColumn !== undefined) {
    // Not parsed: a record's text could look like a variable.
    const wanted = await popupValue(popupsColumn, popupRecord);
    if (isEmpty(wanted)) throw noValue();
    return { [column]: { [comparison]: wanted } };
  }
  const filter = { [column]: { [comparison]: onServer(value) } };
  const parsed = await parseFilter(filter, createContextVariablesScope(context));
  const steps = [...column.split('.'), comparison];
  const found = steps.reduce<unknown>((inner, step) => Object(inner)[step], parsed);
  if (isEmpty(found)) throw noValue();
  return parsed;
}

/**
 * Converts a data scope to a filter for the request that lists the rows.
 *
 * @returns undefined if the scope lets every row through
 * @throws {Forbidden} if only the browser knows the rows, or a variable has no value
 */
export async function scopeFilter(
  context: Context,
  scope: unknown,
  popupRecord: PopupRecord,
): Promise<object | undefined> {
  const { logic, items, ...condition }: Condition = Object(scope);
  if (!Array.isArray(items)) return filterOf(context, condition, popupRecord);
  if (logic !== '$and' && logic !== '$or') throw unreadable();
  const filters: object[] = [];
  for (const item of items) {
    const filter = await scopeFilter(context, item, popupRecord);
    if (filter) filters.push(filter);
  }
  return filters.length > 0 ? { [logic]: filters } : undefined;
}
