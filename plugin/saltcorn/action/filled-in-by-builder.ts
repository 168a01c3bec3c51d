import { types } from 'node:util';
import { getState } from '@saltcorn/data/db/state';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import type { Trigger } from '@saltcorn/data/models/trigger';
import { TelephonyError } from '../../../src/builder.ts';
import { mayBeSpread, type RunArguments } from './run-arguments.ts';

/** The fields that objects hold. No row or request can contain an object that is one of these. */
const triggerOf = new WeakMap<object, Trigger>();

function findTrigger(configuration: object): Trigger | undefined {
  if (triggerOf.has(configuration)) return triggerOf.get(configuration);
  const { triggers, virtual_triggers } = getState();
  for (const trigger of [...triggers, ...virtual_triggers]) {
    const { steps } = Object(trigger.configuration);
    for (const filledIn of [trigger.configuration, steps].flat())
      if (Object(filledIn) === filledIn) triggerOf.set(filledIn, trigger);
  }
  return triggerOf.get(configuration);
}

// What the code of an action hands over comes out of a sandbox as a proxy. Nothing in a row or a request is one.
const isMadeByCode = types.isProxy;

// No row holds a function.
const isTable = (value: unknown): value is SaltcornTable =>
  typeof Object(value).getRows === 'function';

const refused = (sentence: string) => new TelephonyError('input', sentence);

const replaced = (column: string, what: string) =>
  refused(`In a trigger, the row's column “${column}” replaces ${what}. Rename the column.`);

/**
 * Saltcorn spreads the row of a trigger, or what an event brings, over what it hands an action. Whoever adds a row could so say
 * what is sent, and to which recipient, instead of the trigger's owner.
 *
 * @throws {TelephonyError} that names the column
 */
export function assertFilledInByBuilder(run: RunArguments) {
  const { row, configuration } = run;
  if (configuration === undefined) return;
  if (row?.configuration === configuration)
    throw replaced('configuration', 'the fields of the action');
  // Saltcorn passes the request to triggers of a row that someone saves, and spreads the row over it too.
  if (!mayBeSpread(run)) return;
  const isObject = Object(configuration) === configuration;
  const trigger = isObject ? findTrigger(configuration) : undefined;
  if (!trigger && !(isObject && isMadeByCode(configuration)))
    throw refused(
      "The action's fields don't come from a trigger, so nothing was sent. If the row or event has a value named “configuration”, rename it.",
    );
  // A trigger that another one runs by its name has no table of its own.
  const { table } = run;
  if (table !== undefined && !isTable(table)) throw replaced('table', 'the table');
  const own = trigger?.table_id ? Table.findOne({ id: trigger.table_id }) : undefined;
  if ([table, own].some((one) => one?.fields.some(({ name }) => name === 'row')))
    throw replaced('row', 'the row');
}
