import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An operation's request, and the service's response. */
interface Exchange {
  request: { path: string; body: string };
  /** A deletion has no body. */
  answer: { status: number; body: object | '' };
}

/** The examples, by the ids of operations and events. */
export interface Examples {
  operations: Record<string, Exchange>;
  events: Record<string, { parameters: Record<string, string> }>;
}

async function readAll(folder: string) {
  const files = existsSync(folder) ? await readdir(folder) : [];
  const entries = files.sort().map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    return [file.replace('.json', ''), JSON.parse(text)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Reads the examples, which the tests use, so that none gets outdated.
 *
 * @param root the folder of the repository
 */
export const readExamples = async (root: string): Promise<Examples> => ({
  operations: await readAll(join(root, 'test/requests/fixtures')),
  events: await readAll(join(root, 'events/examples')),
});

/** Parses a form. A repeated parameter becomes a list. */
export function formValues(body: string): Record<string, string | string[]> {
  const form = new URLSearchParams(body);
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [value = '', ...more] = form.getAll(name);
      return [name, more.length > 0 ? [value, ...more] : value];
    }),
  );
}
