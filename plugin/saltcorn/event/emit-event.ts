import { getState } from '@saltcorn/data/db/state';
import Trigger from '@saltcorn/data/models/trigger';
import { eventDefinition, type TelephonyEvent } from '../../../src/builder.ts';

/**
 * Emits an event in Saltcorn: its triggers and workflows start with the record as their row.
 *
 * @returns a promise that resolves when all of them have ended or are waiting
 */
export function emitEvent({ id, record }: TelephonyEvent): Promise<void> {
  const { name } = eventDefinition(id);
  const row = { ...record };
  const { virtual_triggers: triggers } = getState();
  return new Promise((resolve) => {
    // Saltcorn doesn't report when it has run all triggers of an event, but it runs those of views last.
    const last = {
      when_trigger: name,
      run: async (emitted: object) => {
        if (emitted !== row) return;
        triggers.splice(triggers.indexOf(last), 1);
        resolve();
      },
    };
    triggers.push(last);
    Trigger.emitEvent(name, null, {}, row);
  });
}
