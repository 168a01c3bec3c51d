import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Entry, type MemoryStore, memoryStore, type Store } from '../../src/builder.ts';

/** A line of the file. The last line of a key counts. */
interface Line extends Entry {
  kind: string;
}

export interface FileStore extends Store {
  /** Resolves when all entries are written, except those that can't be. */
  written(): Promise<void>;
}

export interface FileStoreOptions {
  /** Called with the reason if the file can't be read or written. Until it can be, entries stay in memory. */
  warn(fault: unknown): void;
  /** Whether a verb rejects if its entry can't be written, instead of keeping it in memory until it can be. */
  rejects?: boolean;
  /** The maximum number of entries of a kind. Above it, the oldest are dropped. */
  most?: number;
  /** The files of earlier versions. Entries in this store's file win. */
  earlier?: {
    read(): Promise<[kind: string, entry: Entry][]>;
    /** Removes those files once their entries are in this one. */
    remove(): Promise<void>;
  };
}

/** Each entry starts on a new line, because an interrupted write may have left half a line. */
const textOf = (lines: Line[]) => lines.map((line) => `\n${JSON.stringify(line)}`).join('');

function parse(text: string): Line[] {
  try {
    const line: unknown = JSON.parse(text);
    const { kind, key, version, at } = Object(line);
    const isLine = [kind, key, version].every((one) => typeof one === 'string');
    return isLine && Number.isFinite(at) ? [line as Line] : [];
  } catch {
    // The process stopped, or the disk was full, during the write.
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

/** How many characters the file may grow before it is rewritten with only the newest lines. */
const slack = 1_000_000;

/** A store in a file of one process. Each change appends a line. */
export function fileStore(
  file: string,
  { warn, rejects = false, most, earlier }: FileStoreOptions,
): FileStore {
  const memory: MemoryStore = memoryStore(most);
  let waiting: Line[] = [];
  // The size of the file in characters: when it was last rewritten, and what was appended since.
  let size = 0;
  let appended = 0;
  // Don't rewrite a file that could not be read. Do write the entries of earlier versions.
  let isLoaded = false;
  let isEarlier = false;

  /** Rewrites the file with only the current entries. */
  async function shorten(): Promise<void> {
    const text = textOf(memory.entries().map(([kind, entry]) => ({ kind, ...entry })));
    // The next append writes later changes.
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

  /** Appends all waiting lines at once. If that fails, they wait for the next append. */
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
    // The lines are written. If rewriting fails, try again after a later append.
    if (isLoaded && appended > size + slack) await shorten().catch(warn);
  }

  let next: Promise<void> | undefined;
  /** Writes once for all callers that wait during a write. */
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
