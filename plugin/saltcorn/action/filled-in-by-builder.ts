import { types } from 'node:util';
import { getState } from '@saltcorn/data/db/state';
import Table from '@saltcorn/data/models/table';
import type { Trigger } from '@saltcorn/data/models/trigger';
import { type Sentence, sentence, TelephonyError } from '../../../src/builder.ts';
import { isTable, mayBeSpread, type RunArguments } from './run-arguments.ts';

/** The triggers of known field objects. A row or request can't contain one of these very objects. */
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

// Arguments that an action's code passes leave its sandbox as proxies. Rows and requests contain none.
const isMadeByCode = types.isProxy;

const refused = (said: Sentence) => new TelephonyError('input', said);

const replaced = (column: string, what: Sentence) =>
  refused(
    sentence("In a trigger, the row's column “{column}” replaces {what}. Rename the column.", {
      column,
      what,
    }),
  );

/**
 * Checks that an action's fields come from the builder. Saltcorn spreads a trigger's row, or an event's data, over an
 * action's arguments, so anyone who can add a row could otherwise set the text and the recipient.
 *
 * @throws {TelephonyError} that names the column
 */
export function assertFilledInByBuilder(run: RunArguments) {
  const { row, configuration } = run;
  if (configuration === undefined) return;
  if (row?.configuration === configuration)
    throw replaced('configuration', sentence('the fields of the action'));
  // For triggers of a row that a user saves, Saltcorn passes the request and spreads the row over it, too.
  if (!mayBeSpread(run)) return;
  const isObject = Object(configuration) === configuration;
  const trigger = isObject ? findTrigger(configuration) : undefined;
  if (!trigger && !(isObject && isMadeByCode(configuration)))
    throw refused(
      sentence(
        "The action's fields don't come from a trigger, so nothing was sent. If the row or event has a value named “configuration”, rename it.",
      ),
    );
  // A trigger that another trigger runs by name has no table of its own.
  const { table } = run;
  if (table !== undefined && !isTable(table)) throw replaced('table', sentence('the table'));
  const own = trigger?.table_id ? Table.findOne({ id: trigger.table_id }) : undefined;
  if ([table, own].some((one) => one?.fields.some(({ name }) => name === 'row')))
    throw replaced('row', sentence('the row'));
}
