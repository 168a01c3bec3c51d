import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A request of an operation, and what the service answers. */
export interface Exchange {
  request: { method: string; path: string; body: string };
  answer: { status: number; body: object };
}

/** What an operation is tried with: the first request, those that follow from its answer, and what comes of it. */
export interface Fixture extends Exchange {
  input: object;
  further?: Exchange[];
  result: unknown;
}

const folder = resolve(__dirname, 'fixtures');

const ids = readdirSync(folder).map((file) => file.replace('.json', ''));

/** By the id of their operation. */
export const fixtures = ids
  .sort()
  .map((id): [id: string, fixture: Fixture] => [
    id,
    JSON.parse(readFileSync(resolve(folder, `${id}.json`), 'utf8')),
  ]);
