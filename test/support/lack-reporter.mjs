import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lists at the end which levels were skipped because this machine lacks something, and how to install it. `skipWithout`
 * records that. In CI, a skipped level is a failure.
 */
export default class LackReporter {
  #folder = mkdtempSync(join(tmpdir(), 'telephony-lacks-'));
  #hasLacks = false;

  constructor() {
    process.env.LACKS = join(this.#folder, 'lacks');
  }

  onRunComplete() {
    const lacks = this.#lacks();
    this.#hasLacks = lacks.length > 0;
    rmSync(this.#folder, { recursive: true });
    // After jest's summary.
    if (this.#hasLacks) process.once('exit', () => console.error(`\n${lacks.join('\n')}`));
  }

  getLastError() {
    if (process.env.CI && this.#hasLacks) return new Error('In CI no level is skipped.');
    return undefined;
  }

  /** A sentence for each missing thing. */
  #lacks() {
    const file = process.env.LACKS ?? '';
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    /** @type {Map<string, { advice: string, levels: Set<string> }>} */
    const lacks = new Map();
    for (const line of lines) {
      const { name, advice, level } = JSON.parse(line);
      const lack = lacks.get(name) ?? { advice, levels: new Set() };
      lacks.set(name, lack);
      lack.levels.add(level);
    }
    return [...lacks].map(
      ([name, { advice, levels }]) =>
        `Skipped without ${name}: ${[...levels].join(', ')}. ${advice}`,
    );
  }
}
