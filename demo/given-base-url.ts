import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Settings {
  username?: string;
  baseUrl?: string;
}

const fileIn = (home: string) => join(home, 'given-base-url');

/**
 * Whether someone has saved other settings than the demo gave a builder at its last start. They stay: the Base URL that the
 * demo gives can be another one at each start.
 *
 * @param home the folder that keeps all of the builder's
 * @param stored the settings that the builder has
 * @param given the settings that the demo gives
 */
export function isChanged(home: string, stored: Settings, given: Settings): boolean {
  if (stored.username !== given.username) return true;
  const file = fileIn(home);
  return existsSync(file) && readFileSync(file, 'utf8') !== (stored.baseUrl ?? '');
}

/** Remembers the Base URL that the demo has given a builder. */
export const noteGiven = (home: string, { baseUrl = '' }: Settings): void =>
  writeFileSync(fileIn(home), baseUrl);
