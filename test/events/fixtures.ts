import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventDefinition } from '../../src/builder.ts';

/** What the service sends of an event, and what comes of it. */
export interface Fixture {
  parameters: Record<string, string>;
  record: object;
  note: { key: string; step: number };
}

const folder = resolve(__dirname, 'fixtures');

/** By the id of their event. */
export const fixtures: [id: string, fixture: Fixture][] = readdirSync(folder)
  .sort()
  .map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(resolve(folder, file), 'utf8')),
  ]);

/** The parameters of an event as the service sends them. */
export function parametersOf(id: string): Record<string, string> {
  const [, fixture] = fixtures.find(([one]) => one === id) ?? [];
  if (!fixture) throw new RangeError(`No fixture "${id}"`);
  return { ...fixture.parameters };
}

/**
 * What JSON of an event's record equals that is received between a moment and now.
 *
 * @param since in milliseconds since 1970
 */
export function receivedSince(since: number, id: string, { record }: Fixture): object {
  const time = {
    asymmetricMatch: (text: unknown) =>
      Date.parse(String(text)) >= since && Date.parse(String(text)) <= Date.now(),
    toString: () => 'the time of receipt',
  };
  const { receivedAt } = eventDefinition(id);
  return { ...record, ...Object.fromEntries((receivedAt ?? []).map((key) => [key, time])) };
}
