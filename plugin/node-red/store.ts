import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Entry,
  type LogStore,
  type MemoryStore,
  memoryStore,
  storeHash,
  TelephonyError,
  unusableFileText,
} from '../../src/builder.ts';

/** A line of the file. The last line of a key counts. */
interface Line extends Entry {
  kind: string;
  /** Whether all entries of its kind and index were deleted. */
  isCleared?: true;
}

export interface FileStore extends LogStore {
  /** Resolves when all entries are written, except those that can't be. */
  written(): Promise<void>;
}

export interface FileStoreOptions {
  /** Called if the file can't be read or written. Until it can be, entries stay in memory. */
  warn(fault: Error): void;
  /** Whether a verb rejects if its entry can't be written, instead of keeping it in memory until it can be. */
  rejects?: boolean;
  /** Called if entries in the file are damaged or missing. */
  damaged(problem: string): void;
  /**
   * Returns the entries to replace after entries were lost.
   *
   * @param entries the entries that are left
   */
  repair?(entries: [kind: string, entry: Entry][]): [kind: string, entry: Entry][];
  /** The maximum number of entries of a kind. Above it, the oldest are dropped. */
  most?: number;
}

/** The line that follows an entry: its number and a checksum. Earlier versions ignore it. */
const checkOf = (number: number, text: string) =>
  `${number} ${storeHash(String(number), text).slice(0, 16)}`;
const checkPattern = /^(\d+) [\da-f]{16}$/;

/**
 * Each entry starts on a new line, because an interrupted write may have left half a line.
 *
 * @param count how many entries were written before
 */
const textOf = (lines: Line[], count: number) =>
  lines
    .map((line, index) => {
      const text = JSON.stringify(line);
      return `\n${text}\n${checkOf(count + index + 1, text)}`;
    })
    .join('');

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

/** The content of a file. */
interface Content {
  lines: Line[];
  /** The number of its last entry; 0 in a file of an earlier version. */
  count: number;
  /** How many entries are damaged or missing. The last one isn't, if its write was only interrupted. */
  lost: number;
}

function contentOf(text: string): Content {
  const content: Content = { lines: [], count: 0, lost: 0 };
  let last = '';
  for (const one of text.split('\n')) {
    const number = Number(checkPattern.exec(one)?.[1] ?? 0);
    if (number > 0) {
      const isIntact = checkOf(number, last) === one;
      const missing = isIntact ? number - content.count - 1 : Math.max(number - content.count, 1);
      content.lost += Math.max(missing, 0);
      content.count = number;
      if (!isIntact) last = '';
    }
    content.lines.push(...parse(last));
    last = number > 0 ? '' : one;
  }
  content.lines.push(...parse(last));
  return content;
}

const isMissing = (fault: unknown) => (fault as NodeJS.ErrnoException).code === 'ENOENT';

/** How many characters the file may grow before it is rewritten with only the newest lines. */
const slack = 1_000_000;
/** How long deleted entries may stay in the file, in milliseconds. Deletions come together, such as those at the end of a batch. */
const deletedForMs = 10_000;
/** How long after a failure to try again to rewrite the file, in milliseconds. */
const retryMs = 60_000;
const nextAttempt = 'The plugin tries to rewrite it in a minute.';

/** A store in a file of one process. Each change appends a line. */
export function fileStore(
  file: string,
  { warn, damaged, repair, rejects = false, most }: FileStoreOptions,
): FileStore {
  const memory: MemoryStore = memoryStore(most);
  const countFile = `${file}.count`;
  let waiting: Line[] = [];
  // Lines as they are to be written: those of the last writes, if these failed.
  let unwritten: string[] = [];
  // The size of the file in characters: when it was last rewritten, and what was appended since.
  let size = 0;
  let appended = 0;
  // The number of the last line, written or not.
  let count = 0;
  // Don't rewrite a file that could not be read. Do rewrite one that lacks repaired entries.
  let isLoaded = false;
  let isToRewrite = false;

  /** Names the file, which Node's own message doesn't always do. */
  function unusable(fault: unknown): TelephonyError {
    const text = unusableFileText(file, (fault as Error).message);
    return new TelephonyError('unavailable', rejects ? `Nothing was sent: ${text}` : text);
  }

  /** Notes in a file of its own how many lines are written, so that a file which lost its end doesn't pass for a whole one. */
  const noteWritten = async (lines: number): Promise<void> => {
    if (repair) await writeFile(countFile, String(lines), { mode: 0o600 }).catch(() => {});
  };

  const notedLines = async (): Promise<number> =>
    Number(repair && (await readFile(countFile, 'utf8').catch(() => 0))) || 0;

  /** Rewrites the file with only the current entries. */
  async function shorten(): Promise<void> {
    const lines = memory.entries().map(([kind, entry]) => ({ kind, ...entry }));
    const text = textOf(lines, 0);
    // The next append writes later changes.
    const batch = waiting.splice(0);
    try {
      await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
      await noteWritten(0);
      await rename(`${file}.new`, file);
    } catch (fault) {
      waiting = [...batch, ...waiting];
      throw unusable(fault);
    }
    [size, appended, count] = [text.length, 0, lines.length];
    await noteWritten(count);
    unwritten = [];
    isToRewrite = false;
  }

  function repairLoss(lost: number): void {
    for (const [kind, entry] of repair?.(memory.entries()) ?? []) memory.set(kind, entry);
    const entries = lost === 1 ? '1 entry is lost' : `${lost} entries are lost`;
    damaged(`The file ${file} is damaged: ${entries}.`);
  }

  async function load(): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const text = await readFile(file, 'utf8').catch((fault) => {
      if (isMissing(fault)) return undefined;
      throw unusable(fault);
    });
    const content = contentOf(text ?? '');
    for (const { kind, isCleared, ...entry } of content.lines)
      if (isCleared) await memory.clear(kind, entry.index ?? '');
      else memory.set(kind, entry);
    count = content.count;
    const lost = content.lost + Math.max((await notedLines()) - content.count, 0);
    if (lost > 0) repairLoss(lost);
    [appended, isLoaded] = [text?.length ?? 0, true];
    isToRewrite = lost > 0;
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

  /** Writes the first of the unwritten lines. */
  async function writeLines(writes: number): Promise<void> {
    const text = unwritten.slice(0, writes).join('');
    await appendFile(file, text, { mode: 0o600, flush: true });
    unwritten = unwritten.slice(writes);
    appended += text.length;
  }

  /** Appends all waiting lines at once. If that fails, they wait for the next append. */
  async function append(): Promise<void> {
    if (isToRewrite) return shorten();
    const batch = waiting.splice(0);
    if (batch.length > 0) unwritten.push(textOf(batch, count));
    count += batch.length;
    try {
      // After a failure, the first lines show whether the disk has space again: with all lines, each attempt would take longer than the last.
      if (unwritten.length > 1) await writeLines(1);
      if (unwritten.length > 0) await writeLines(unwritten.length);
      await noteWritten(count);
    } catch (fault) {
      throw unusable(fault);
    }
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

  let shortening: NodeJS.Timeout | undefined;
  function shortenNow(): Promise<void> {
    clearTimeout(shortening);
    shortening = undefined;
    work = work.then(shorten).catch(({ message }: Error) => {
      shortening ??= setTimeout(shortenNow, retryMs).unref();
      warn(new Error(`${message} Until then, deleted texts stay in the file. ${nextAttempt}`));
    });
    return work;
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
    async clear(kind, index) {
      await loaded();
      await memory.clear(kind, index);
      waiting.push({
        ...{ kind, index, isCleared: true },
        key: '',
        value: null,
        at: 0,
        version: '',
      });
      await write();
      // Deleted entries leave the file when it is rewritten.
      if (isLoaded) shortening ??= setTimeout(shortenNow, deletedForMs).unref();
    },
    async expire(kind, before) {
      await loaded();
      await memory.expire(kind, before);
      return isLoaded ? shortenNow() : work;
    },
    written: () => (shortening ? shortenNow() : work),
  };
}
