import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { ConnectOptions, Http, LogStore, MemoryStore } from '../../src/builder.ts';
import { modulesOf } from './processes.ts';
import { account, basic } from './service.ts';

type Library = typeof import('../../src/builder.ts') & {
  times: Record<'retryEveryMs' | 'waitForMs' | 'recordForMs' | 'renewMs' | 'leaseMs', number>;
  clickLimits: typeof import('../../src/click/clicks.ts').clickLimits;
};

/** What every process imports, and the times that would make a test wait. */
const source = `export * from './src/builder.ts';
export { batchLimits as times } from './src/batch/batch.ts';
export { clickLimits } from './src/click/clicks.ts';`;

/** The service is so much faster than these that only a fault reaches them. */
export const slowMs = 40;
/** How much later a process that does nothing counts as ended, in milliseconds. */
const laterMs = 20_000;
const limits = { maxAttempts: 2, confirmTimeoutMs: 30 };

/** Loads the library as another process does, which shares no memory. */
function loadLibrary(): Library {
  const library = modulesOf(source) as Library;
  Object.assign(library.times, { retryEveryMs: 1, waitForMs: 30, recordForMs: 60, renewMs: 10 });
  library.clickLimits.waitMs = 1;
  return library;
}

const libraries: Library[] = [];

/** A message that the service sent. */
export interface Sent {
  sid: string;
  to: string;
  body: string;
  by: Process;
  created: number;
}

type Answer = { status: number; body: object } | undefined;

/** How a request is answered: by a function that gets what sends the message. It throws for no answer. */
export type Respond = (send: () => Answer, process: Process) => Answer | Promise<Answer>;

/** What happens to a call of the store. */
type StoreFault = { left: number; when: 'before' | 'after' | 'slow'; verbs: readonly string[] };

export interface Fault {
  what: string;
  /** Begins it, when a request to send arrives at the service. */
  begin?(world: World, process: Process): void;
  /** How often it answers requests to send, and how. */
  times?: number;
  respond?: Respond;
  /** How the account is opened, if it begins with the nth request. */
  options?(world: World, at: number): Partial<ConnectOptions>;
  /** Whether two processes do everything at the same time. */
  isTwice?: boolean;
  /**
   * Where rows stay in doubt although no request named them, because they were stored as started, or although the log shows them, because
   * it wasn't read while it did, or its clock has changed.
   */
  doubt?: 'everywhere' | 'outside batches' | 'of buttons';
  /** Whether a process can't know what was sent before. */
  isUnreadable?: boolean;
  /** Whether nothing more is sent in its press. */
  isLimit?: boolean;
}

/** A fault, and with which request to send of which press it begins. */
export interface Planned {
  fault: Fault;
  press: number;
  at: number;
}

export const lost = () => Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' });
export const storeAway = new Error('The store is away.');

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

export interface Told {
  to: string;
  outcome: string;
  /** How many messages had been sent by then. */
  after?: number;
}

/** A process that can end or freeze between any two steps. */
export class Process {
  isAlive = true;
  #isFrozen = false;
  readonly #frozen = gate();
  readonly #gone = gate();
  /** Resolves once it has ended or is frozen. */
  readonly gone = this.#gone.passed;
  /** What it threw, and what it reported. */
  readonly thrown: unknown[] = [];
  readonly reported: unknown[] = [];
  /** The outcomes that it told. */
  told: Told[] = [];
  /** Stops its batch. */
  stop = () => {};

  constructor(
    readonly library: Library,
    readonly press: number,
  ) {}

  end(): void {
    this.isAlive = false;
    this.#gone.open();
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#gone.open();
  }

  thaw(): void {
    this.#frozen.open();
  }

  /** Takes a step. */
  async step(): Promise<void> {
    if (this.#isFrozen) await this.#frozen.passed;
    if (!this.isAlive) throw storeAway;
  }
}

const verbs = ['get', 'insert', 'swap', 'find', 'clear', 'expire'] as const;
export const writes = ['insert', 'swap'] as const;

/** A service with its true log, a store and a clock, that processes share. */
export class World {
  readonly sent: Sent[] = [];
  readonly processes: Process[] = [];
  storeFault: StoreFault | undefined;
  /** The recipients that requests named, sent or not. */
  readonly tried = new Set<string>();
  /** Who unsubscribed now. */
  readonly optedOut = new Set<string>();
  isSendingStopped = false;
  /** How many reads of the log fail, or don't show the newest messages. */
  log = { failing: 0, late: 0 };
  /** How far the service's clock is ahead, and that of the machine, in milliseconds. */
  serviceAheadMs = 0;
  aheadMs = 0;
  #passedMs = 0;
  #press = 0;
  #posts = 0;
  #begun: { respond: Respond; left: number }[] = [];

  constructor(
    readonly name: string,
    readonly store: MemoryStore,
    private readonly plan: Planned[],
    private readonly startMs = Date.parse('2026-12-01T21:30:00Z'),
  ) {}

  now = () => this.startMs + performance.now() + this.#passedMs + this.aheadMs;

  /** Ends the faults of the last press, and so much later that its processes count as ended, begins the next one. */
  next(): number {
    this.#press += 1;
    this.#posts = 0;
    this.#passedMs += laterMs;
    this.#begun = [];
    this.storeFault = undefined;
    this.optedOut.clear();
    this.isSendingStopped = false;
    this.log = { failing: 0, late: 0 };
    return this.#press;
  }

  #planned = () => this.plan.filter(({ press }) => press === this.#press);

  /** Starts the processes in which someone presses the button now. */
  start(): Process[] {
    const isTwice = this.#planned().some(({ fault }) => fault.isTwice);
    const started = [0, ...(isTwice ? [1] : [])].map((more) => {
      const at = Math.min(this.#press, 3) + more * 3;
      libraries[at] ??= loadLibrary();
      return new Process(libraries[at], this.#press);
    });
    // Soon after a process has ended, others see that.
    for (const process of started)
      process.gone.then(() => {
        this.#passedMs += laterMs;
      });
    this.processes.push(...started);
    return started;
  }

  optionsFor(process: Process): ConnectOptions {
    const faulty = this.#planned().map(({ fault, at }) => fault.options?.(this, at));
    const spending = Object.assign({}, ...faulty.map((one) => one?.spending));
    return {
      ...{ ...account, accountSid: this.name, baseUrl: 'https://service.test' },
      ...{ limits: faulty.length > 0 ? limits : { maxAttempts: 2 }, store: this.storeOf(process) },
      ...{ http: this.#httpOf(process), ...(Object.keys(spending).length > 0 && { spending }) },
    };
  }

  storeOf(process: Process): LogStore {
    const wrapped = verbs.map((verb) => [
      verb,
      async (...args: never[]) => {
        await process.step();
        const fault = this.storeFault?.verbs.includes(verb) ? this.storeFault : undefined;
        const when = fault && fault.left > 0 ? fault.when : undefined;
        if (fault) fault.left -= 1;
        if (when === 'slow') await setTimeout(slowMs);
        if (when === 'before') throw storeAway;
        const result = await (this.store[verb] as (...all: never[]) => unknown)(...args);
        if (when === 'after') throw storeAway;
        await process.step();
        return result;
      },
    ]);
    return Object.fromEntries(wrapped) as LogStore;
  }

  #httpOf(process: Process): Http {
    return async ({ method, url, body, headers }) => {
      expect(headers.Authorization).toBe(`Basic ${basic}`);
      await process.step();
      const answer =
        method === 'POST'
          ? await this.#post(process, new URLSearchParams(body))
          : this.#get(new URL(url));
      await process.step();
      if (!answer) throw lost();
      const date = new Date(this.#serviceNow()).toUTCString();
      const text = Buffer.from(JSON.stringify(answer.body));
      return { status: answer.status, headers: { date }, body: Readable.from([text]) };
    };
  }

  #serviceNow = () => this.now() - this.aheadMs + this.serviceAheadMs;

  async #post(process: Process, form: URLSearchParams): Promise<Answer> {
    this.tried.add(form.get('To') ?? '');
    // A process that was frozen goes on next to the one that took over.
    for (const other of this.processes) if (other.press < process.press) other.thaw();
    if (process.press === this.#press) {
      this.#posts += 1;
      for (const { fault, at } of this.#planned())
        if (at === this.#posts) {
          fault.begin?.(this, process);
          if (fault.respond) this.#begun.push({ respond: fault.respond, left: fault.times ?? 1 });
        }
    }
    const fault = this.#begun.find(({ left }) => left > 0);
    if (fault) fault.left -= 1;
    const send = () => this.#send(process, form);
    return fault ? fault.respond(send, process) : send();
  }

  #send(by: Process, form: URLSearchParams): Answer {
    const [to, body] = [form.get('To') ?? '', form.get('Body') ?? ''];
    if (this.optedOut.has(to))
      return { status: 400, body: { code: 21610, message: 'Unsubscribed recipient' } };
    const sid = `SM${String(this.sent.length).padStart(32, '0')}`;
    const message = { sid, to, body, by, created: this.#serviceNow() };
    this.sent.push(message);
    return { status: 201, body: this.#record(message) };
  }

  #record = ({ sid, to, body, created }: Sent) => ({
    ...{ sid, to, body, from: '+14155550100', status: 'queued', direction: 'outbound-api' },
    date_created: new Date(created).toUTCString(),
  });

  #get(url: URL): Answer {
    if (!url.pathname.endsWith('/Messages.json')) return { status: 200, body: {} };
    const { failing, late } = this.log;
    this.log = { failing: failing - 1, late: late - 1 };
    if (failing > 0) return { status: 500, body: {} };
    const messages = this.sent
      .filter(({ to }) => to === (url.searchParams.get('To') ?? to))
      .map(this.#record)
      .reverse();
    return { status: 200, body: { messages: late > 0 ? [] : messages } };
  }
}
