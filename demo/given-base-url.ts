import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Settings {
  username?: string;
  baseUrl?: string;
}

const fileIn = (home: string) => join(home, 'given-base-url');

/**
 * Whether someone has changed the settings that the demo last stored in a builder. The demo keeps such changes, although the
 * sandbox's Base URL can differ at each start.
 *
 * @param home the folder with the builder's data
 * @param stored the settings in the builder
 * @param given the settings of the demo
 */
export function isChanged(home: string, stored: Settings, given: Settings): boolean {
  if (stored.username !== given.username) return true;
  const file = fileIn(home);
  return existsSync(file) && readFileSync(file, 'utf8') !== (stored.baseUrl ?? '');
}

/** Stores the Base URL that the demo has set in a builder. */
export const noteGiven = (home: string, { baseUrl = '' }: Settings): void =>
  writeFileSync(fileIn(home), baseUrl);
