import type { SaltcornTable } from '@saltcorn/data/models/table';
import { type Action, checkInput, fieldTypes, TelephonyError } from '../../../src/index.ts';
import type { Configuration } from '../account/account.ts';
import { inputOf, type RunArguments } from '../action/action-input.ts';
import type { Row } from '../where/where.ts';

export type Outcome = 'waiting' | 'done' | 'failed' | 'unknown' | 'same' | 'untried';

/** What is to be done for one row, and what became of it. */
export interface Item {
  /** Whom or what the row is about. */
  who: string;
  outcome: Outcome;
  /** What is sent, as long as that is to be done. */
  values?: Row;
  /** Why it was not done, or perhaps was. */
  message?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What a person would call a row: the first text in it, which in tables of people is their name. */
function nameOf(row: Row, { fields, provider_name, pk_name }: SaltcornTable): string {
  // The first text of a record is an identifier.
  if (provider_name) return '';
  const texts = fields.filter(({ name, type }) => name !== pk_name && typeof type !== 'string');
  const [name] = texts.map((field) => row[field.name]).filter(isText);
  return name ?? '';
}

/** The numbers and identifiers that differ from row to row. */
function numbersOf({ fields }: Action, configuration: Row, input: Row): string {
  const filled = fields.filter(
    ({ key, type }) => fieldTypes[type].identifies && /\{\{/.test(String(configuration[key])),
  );
  return filled.map(({ key }) => String(input[key] ?? '')).join(', ');
}

const whoOf = (name: string, numbers: string) =>
  name && numbers && name !== numbers ? `${name} (${numbers})` : name || numbers || 'A row';

function planRow(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  run: RunArguments & { row: Row },
): Item {
  const name = nameOf(run.row, table);
  let who = whoOf(name, '');
  try {
    const input = inputOf(action, settings, run);
    who = whoOf(name, numbersOf(action, run.configuration ?? {}, input));
    const values = checkInput(action, input);
    who = whoOf(name, numbersOf(action, run.configuration ?? {}, values));
    return { who, outcome: 'waiting', values };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { who, outcome: 'failed', message: error.message };
  }
}

/**
 * What is to be done for rows: nothing for those whose values cannot be sent, and nothing twice. Two rows that would send the
 * same are the same, however it was typed.
 */
export function plan(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  rows: Row[],
  run: RunArguments,
): Item[] {
  const known = new Set<string>();
  return rows.map((row) => {
    const item = planRow(action, settings, table, { ...run, row });
    const key = JSON.stringify(item.values);
    if (!item.values || !known.has(key)) {
      known.add(key);
      return item;
    }
    return { who: item.who, outcome: 'same' };
  });
}
