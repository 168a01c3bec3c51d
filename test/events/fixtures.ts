import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventDefinition } from '../../src/builder.ts';

/** A webhook's parameters and the record of its event. */
export interface Fixture {
  parameters: Record<string, string>;
  record: object;
  note: { key: string; step: number };
}

const folder = resolve(__dirname, '../../events/examples');

const all: [id: string, fixture: Fixture][] = readdirSync(folder)
  .sort()
  .map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(resolve(folder, file), 'utf8')),
  ]);

const isRaised = ([id]: [string, Fixture]) => eventDefinition(id).raisedBy !== undefined;

/** The events of the service. */
export const fixtures = all.filter((one) => !isRaised(one));

/** The events that the plugin raises. */
export const raisedFixtures = all.filter(isRaised);

export function parametersOf(id: string): Record<string, string> {
  const [, fixture] = fixtures.find(([one]) => one === id) ?? [];
  if (!fixture) throw new RangeError(`No fixture "${id}"`);
  return { ...fixture.parameters };
}

/** A record as a sample event has it: without files. */
export function withoutFiles<Values extends object>(id: string, record: Values): Values {
  const { listedBy } = eventDefinition(id).media ?? {};
  return listedBy ? { ...record, media: [], [listedBy.if]: 0 } : record;
}

/**
 * Matches the JSON of a record whose event was received between a moment and now.
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
