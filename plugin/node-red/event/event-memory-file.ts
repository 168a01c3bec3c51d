import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EventMemory, type EventNote, eventMemory } from '../../../src/index.ts';

/** How many events are remembered. */
const most = 10_000;

/** What is written of an event that was told. */
interface Line extends EventNote {
  /** When it was told, in milliseconds. */
  at: number;
}

/** Each begins in a line of its own, whatever was left of one before it whose writing failed. */
const textOf = (lines: Line[]) => lines.map((line) => `\n${JSON.stringify(line)}`).join('');

function isLine(value: unknown): value is Line {
  const { key, signature, subject, step, lateFrom, at } = Object(value);
  return (
    [key, signature, subject].every((one) => typeof one === 'string') &&
    [step, lateFrom, new Date(at).getTime()].every(Number.isFinite)
  );
}

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    // The process ended, or the disk was full, while it was written.
    return undefined;
  }
}

/** The text of a file; empty where there is none yet. */
async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw fault;
  }
}

/** The last lines of a text. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(-most - 1)
    .flatMap((one) => parse(one) ?? []);

/** Writes a file anew that has more in it than lines. */
async function tidy(file: string, text: string, lines: Line[]): Promise<void> {
  if (textOf(lines) === text) return;
  await writeFile(`${file}.new`, textOf(lines), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** A memory of which events were told that lasts over restarts: in a file, with a line for each. */
export class EventMemoryFile implements EventMemory {
  readonly #memory = eventMemory(most);
  /** The keys of what was not told yet. It is forgotten with the process: what was not acknowledged may come again. */
  readonly #underWay = new Set<string>();
  readonly #last = new Map<string, Date>();
  readonly #file: string;
  readonly #warn: (fault: unknown) => void;
  #waiting: Line[] = [];
  #count = 0;
  #work: Promise<void>;
  readonly #loaded: Promise<void>;

  /** @param warn is told why the file cannot be read or written; what was told is then known until the process ends */
  constructor(file: string, warn: (fault: unknown) => void) {
    this.#file = file;
    this.#warn = warn;
    this.#loaded = this.#load().catch(warn);
    this.#work = this.#loaded;
  }

  async #load(): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true });
    const text = await read(this.#file);
    const lines = linesOf(text);
    this.#count = lines.length;
    for (const line of lines) {
      this.#memory.note(line);
      this.#memory.told(line);
      this.#saw(line);
    }
    await tidy(this.#file, text, lines);
  }

  #saw({ key, at }: Line): void {
    this.#last.set(key.slice(0, key.indexOf('/')), new Date(at));
  }

  /** Writes all lines that wait, at once: many events may come at a time. Those that cannot be written wait for the next. */
  async #write(): Promise<void> {
    const lines = this.#waiting.splice(0);
    if (lines.length === 0) return;
    try {
      await appendFile(this.#file, textOf(lines), { mode: 0o600, flush: true });
    } catch (fault) {
      this.#waiting = [...lines, ...this.#waiting].slice(-most);
      throw fault;
    }
    this.#count += lines.length;
    if (this.#count > 2 * most) await this.#shorten();
  }

  async #shorten(): Promise<void> {
    const text = await read(this.#file);
    const lines = linesOf(text);
    await tidy(this.#file, text, lines);
    this.#count = lines.length;
  }

  async note(note: EventNote) {
    await this.#loaded;
    const known = this.#memory.note(note);
    if (known === 'new') this.#underWay.add(note.key);
    return known;
  }

  /** Resolves when it is written down. */
  async told({ key, signature, subject, step, lateFrom }: EventNote): Promise<void> {
    const line = { key, signature, subject, step, lateFrom, at: Date.now() };
    this.#memory.told(line);
    if (!this.#underWay.delete(key)) return this.#work;
    this.#saw(line);
    this.#waiting.push(line);
    this.#work = this.#work.then(() => this.#write()).catch(this.#warn);
    return this.#work;
  }

  forget(note: EventNote): void {
    this.#underWay.delete(note.key);
    this.#memory.forget(note);
  }

  /** Resolves when all that was told is written down, as far as it can be. */
  written(): Promise<void> {
    return this.#work;
  }

  /** When the last event of an id was told. */
  async last(id: string): Promise<Date | undefined> {
    await this.#loaded;
    return this.#last.get(id);
  }
}
