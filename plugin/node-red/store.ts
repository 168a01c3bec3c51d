import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Entry, type MemoryStore, memoryStore, type Store } from '../../src/builder.ts';

/** A line of the file: the newest one of a key counts. */
interface Line extends Entry {
  kind: string;
}

export interface FileStore extends Store {
  /** Resolves when everything is written, as far as it can be. */
  written(): Promise<void>;
}

export interface FileStoreOptions {
  /** Is called with why the file can't be read or written; until it can be, entries are kept in memory. */
  warn(fault: unknown): void;
  /** Whether a verb rejects if its entry can't be written, instead of keeping it in memory until it can be. */
  rejects?: boolean;
  /** How many entries of a kind it keeps; it drops those that were written first. */
  most?: number;
  /** What earlier versions kept in other files. Entries of this file count more. */
  earlier?: {
    read(): Promise<[kind: string, entry: Entry][]>;
    /** Removes these files, once their entries are in this one. */
    remove(): Promise<void>;
  };
}

/** Each begins in a line of its own, whatever an interrupted write has left before it. */
const textOf = (lines: Line[]) => lines.map((line) => `\n${JSON.stringify(line)}`).join('');

function parse(text: string): Line[] {
  try {
    const line: unknown = JSON.parse(text);
    const { kind, key, version, at } = Object(line);
    const isLine = [kind, key, version].every((one) => typeof one === 'string');
    return isLine && Number.isFinite(at) ? [line as Line] : [];
  } catch {
    // The process ended, or the disk was full, while it was written.
    return [];
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
}

/** How much more than its newest lines a file holds before it is written again, in characters. */
const slack = 1_000_000;

/** A store in a file of one process, to which each change appends a line. */
export function fileStore(
  file: string,
  { warn, rejects = false, most, earlier }: FileStoreOptions,
): FileStore {
  const memory: MemoryStore = memoryStore(most);
  let waiting: Line[] = [];
  // Characters in the file: when it was written as a whole, and since then.
  let size = 0;
  let appended = 0;
  // What could not be read is not to be overwritten, and what was kept before a store has still to be written.
  let isLoaded = false;
  let isEarlier = false;

  /** Writes the file again with nothing but what counts. */
  async function shorten(): Promise<void> {
    const text = textOf(memory.entries().map(([kind, entry]) => ({ kind, ...entry })));
    // What is set from now on is written by the next append.
    const batch = waiting.splice(0);
    try {
      await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
      await rename(`${file}.new`, file);
    } catch (fault) {
      waiting = [...batch, ...waiting];
      throw fault;
    }
    [size, appended] = [text.length, 0];
    if (isEarlier) await earlier?.remove();
    isEarlier = false;
  }

  async function load(): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const text = await read(file);
    const before = (await earlier?.read()) ?? [];
    for (const [kind, entry] of before) memory.set(kind, entry);
    const found = (text ?? '').split('\n').flatMap(parse);
    for (const { kind, ...entry } of found) memory.set(kind, entry);
    [appended, isLoaded, isEarlier] = [text?.length ?? 0, true, before.length > 0];
    if (isEarlier) await shorten();
  }

  let loading: Promise<void> | undefined;
  function loaded(): Promise<void> {
    loading ??= load().catch((fault) => {
      warn(fault);
      if (!rejects) return;
      loading = undefined;
      throw fault;
    });
    return loading;
  }

  let work: Promise<void> = loaded().catch(() => {});

  /** Writes all lines that wait at once. Those that can't be written wait for the next. */
  async function append(): Promise<void> {
    if (isEarlier) return shorten();
    const batch = waiting.splice(0);
    if (batch.length === 0) return;
    const text = textOf(batch);
    try {
      await appendFile(file, text, { mode: 0o600, flush: true });
    } catch (fault) {
      waiting = [...batch, ...waiting];
      throw fault;
    }
    appended += text.length;
    // The lines are written: what can't be shortened now is shortened later.
    if (isLoaded && appended > size + slack) await shorten().catch(warn);
  }

  let next: Promise<void> | undefined;
  /** Writes once for all who wait while something is written. */
  function write(): Promise<void> {
    if (!next) {
      next = work.then(() => {
        next = undefined;
        return append();
      });
      work = next.catch(warn);
    }
    return rejects ? next : work;
  }

  async function keep(kind: string, key: string, isDone: boolean): Promise<boolean> {
    const entry = isDone ? await memory.get(kind, key) : undefined;
    if (entry) waiting.push({ kind, ...entry });
    if (isDone) await write();
    return isDone;
  }

  return {
    async get(kind, key) {
      await loaded();
      return memory.get(kind, key);
    },
    async insert(kind, entry) {
      await loaded();
      return keep(kind, entry.key, await memory.insert(kind, entry));
    },
    async swap(kind, known, value) {
      await loaded();
      return keep(kind, known.key, await memory.swap(kind, known, value));
    },
    async find(kind, index) {
      await loaded();
      return memory.find(kind, index);
    },
    async expire(kind, before) {
      await loaded();
      await memory.expire(kind, before);
      if (isLoaded) work = work.then(shorten).catch(warn);
      return work;
    },
    written: () => work,
  };
}
