/** Saltcorn's model of triggers. */
interface Triggers {
  findDB(where: object): Promise<{ id: number; configuration: object }[]>;
  update(id: number, row: object): Promise<void>;
}

/**
 * Sets the URL of the sandbox, which can differ at each start, in the trigger that simulates incoming SMS. Reads it from the
 * database, because Saltcorn's cache of triggers is empty until the server starts.
 */
export async function setSandboxUrl(triggers: Triggers, sandbox: string): Promise<void> {
  const [trigger] = await triggers.findDB({ name: 'Simulate an incoming SMS' });
  if (!trigger) return;
  const configuration = { ...trigger.configuration, url: `${sandbox}/sandbox/messages` };
  await triggers.update(trigger.id, { configuration });
}
