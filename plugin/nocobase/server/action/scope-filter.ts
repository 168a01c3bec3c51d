import { createContextVariablesScope } from '@nocobase/server';
import { parseFilter } from '@nocobase/utils';
import type { Context } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import type { ButtonSetup } from './button-input.ts';
import { Forbidden } from './rights.ts';

/** A condition of a data scope, or several of them. */
interface Condition {
  path?: unknown;
  operator?: unknown;
  value?: unknown;
  logic?: unknown;
  items?: unknown;
}

const variable = /\{\{/;
const ofUser = /^\s*\{\{\s*(?:ctx\.|\$)(user(?:\.\w+)+)\s*\}\}\s*$/;
const ofRole = /^\s*\{\{\s*(?:ctx\.role|\$nRole)\s*\}\}\s*$/;

const refused = (sentence: string) =>
  new Forbidden(
    `The data scope of this button’s block ${sentence}. Your role may only use buttons whose rows NocoBase’s server can check. Nothing was sent.`,
  );

/** As NocoBase’s server knows the variable; in the browser it has another name. */
function onServer(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (!variable.test(text)) return value;
  const [, path] = ofUser.exec(text) ?? [];
  if (path) return `{{$${path}}}`;
  if (ofRole.test(text)) return '{{$nRole}}';
  throw refused(`contains ${text.trim()}, which only the browser knows`);
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' ? Object.keys(value).length === 0 : value === '');

/** @returns undefined for a condition without a value, which no block applies */
async function filterOf(context: Context, { path, operator, value }: Condition) {
  if (isEmpty(value)) return undefined;
  const [column, comparison] = [textOf(path), textOf(operator)];
  if (!column || !comparison) throw refused('is not understood');
  const wanted = onServer(value);
  const filter = { [column]: { [comparison]: wanted } };
  const parsed = await parseFilter(filter, createContextVariablesScope(context));
  const steps = [...column.split('.'), comparison];
  const found = steps.reduce<unknown>((inner, step) => Object(inner)[step], parsed);
  if (isEmpty(found)) throw refused(`contains ${String(value).trim()}, which has no value for you`);
  return parsed;
}

async function filterIn(context: Context, scope: unknown): Promise<object | undefined> {
  const { logic, items, ...condition }: Condition = Object(scope);
  if (!Array.isArray(items)) return filterOf(context, condition);
  if (logic !== '$and' && logic !== '$or') throw refused('is not understood');
  const filters: object[] = [];
  for (const item of items) {
    const filter = await filterIn(context, item);
    if (filter) filters.push(filter);
  }
  return filters.length > 0 ? { [logic]: filters } : undefined;
}

/**
 * Works out which rows the block of a button shows to someone, by its data scope.
 *
 * @returns what resolves to the filters for a request that lists the block's collection. It rejects with `Forbidden` if only the
 *   browser knows the rows, or a variable has no value
 */
export const rowsShown =
  ({ block }: Pick<ButtonSetup, 'block'>) =>
  async (context: Context): Promise<object[]> => {
    const filters: object[] = [];
    for (const scope of block?.scopes ?? []) {
      const filter = await filterIn(context, scope);
      if (filter) filters.push(filter);
    }
    return filters;
  };
