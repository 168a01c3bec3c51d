import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A request of an operation, and the service's response. */
export interface Exchange {
  request: { method: string; path: string; body: string };
  /** A deletion has no body. */
  answer: { status: number; body: object | '' };
}

/** The input of an operation, its requests and its result. */
export interface Fixture extends Exchange {
  input: object;
  further?: Exchange[];
  result: unknown;
}

const folder = resolve(__dirname, 'fixtures');

const ids = readdirSync(folder).map((file) => file.replace('.json', ''));

/** The fixtures with the ids of their operations. */
export const fixtures = ids
  .sort()
  .map((id): [id: string, fixture: Fixture] => [
    id,
    JSON.parse(readFileSync(resolve(folder, `${id}.json`), 'utf8')),
  ]);
