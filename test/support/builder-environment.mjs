import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

const folder = mkdtempSync(join(tmpdir(), 'telephony-worker-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** @type {any} */
const native = globalThis;

/** State that a worker keeps from one test file to the next. */
const worker = { folder, require: createRequire(import.meta.url), process, global: native };

const { console, setInterval, setTimeout } = native;

/** The globals that tests and builders share, so that both see the time that a test sets. */
const clocks = [
  ...['Date', 'Math', 'setInterval', 'setTimeout', 'setImmediate'],
  ...['clearInterval', 'clearTimeout', 'clearImmediate'],
];

/** @param {NodeJS.EventEmitter} emitter */
const listenersOf = (emitter) =>
  new Map(emitter.eventNames().map((event) => [event, new Set(emitter.listeners(event))]));

/**
 * Keeps a builder loaded from one test file of a worker to the next: `builder-module.mjs` makes Node load it instead of jest. The
 * builder's timers and listeners end with each test file.
 */
export class TestEnvironment extends NodeEnvironment {
  #variables = { ...process.env };
  #listeners = listenersOf(process);
  /** @type {NodeJS.Timeout[]} */
  #timers = [];

  /** @param {ConstructorParameters<typeof NodeEnvironment>} about */
  constructor(...about) {
    super(...about);
    const { global } = this;
    Object.assign(global, { worker });
    global.process.env = process.env;
    for (const [name, start] of Object.entries({ setInterval, setTimeout }))
      native[name] = Object.assign((/** @type {any[]} */ ...about) => {
        const timer = start(...about);
        this.#timers.push(timer);
        return timer;
      }, start);
    for (const name of clocks)
      Object.defineProperty(global, name, {
        get: () => native[name],
        set: (value) => {
          native[name] = value;
        },
        configurable: true,
      });
    const [{ projectConfig: config }] = about;
    const FakeTimers = /** @type {any} */ (this.fakeTimersModern).constructor;
    this.fakeTimersModern = new FakeTimers({ config, global: native });
  }

  /** @override */
  async setup() {
    await super.setup();
    native.console = this.global.console;
  }

  /** @param {import('@jest/types').Circus.Event} event */
  handleTestEvent(event) {
    if (event.name === 'test_done')
      Object.assign(worker, { hasFailed: event.test.errors.length > 0 });
  }

  /** @override */
  async teardown() {
    this.fakeTimersModern?.useRealTimers();
    Object.assign(native, { console, setInterval, setTimeout });
    for (const timer of this.#timers) clearTimeout(timer);
    for (const [event, listeners] of listenersOf(process))
      for (const listener of listeners)
        if (!this.#listeners.get(event)?.has(listener))
          process.off(String(event), /** @type {any} */ (listener));
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    await super.teardown();
  }
}

export default TestEnvironment;
