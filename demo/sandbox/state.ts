import type { IncomingHttpHeaders } from 'node:http';
import { type Account, SANDBOX_PASSWORD, SANDBOX_USERNAME } from './account.ts';
import type { Credentials } from './authentication.ts';
import { Clock } from './clock.ts';
import { Events } from './events.ts';
import { type Fault, FaultQueue } from './faults.ts';
import type { SandboxOptions, Settings } from './options.ts';
import type { Call, Message, Recording, Verification } from './records.ts';
import { type Records, readRecords, writeRecords } from './records-file.ts';
import { RequestCount } from './request-limit.ts';
import { seedRecords } from './seed.ts';

/** A parsed request for an endpoint. */
export interface Request {
  /** The SID in the path, or empty. */
  sid: string;
  path: string;
  query: URLSearchParams;
  /** The fields of a form; empty for any other body. */
  form: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** A received request and its result. */
export interface LoggedRequest {
  method: string;
  path: string;
  /** Unparsed, without the question mark. */
  query: string;
  /** Unparsed. */
  body: string;
  /** Without `authorization`. */
  headers: IncomingHttpHeaders;
  /** The username of the credentials, valid or not. */
  user: string | null;
  /** The fault that hit it. */
  fault: Fault['name'] | null;
  /** The HTTP status of the response; null if there was none. */
  status: number | null;
  /** The SID of the record that it created. */
  stored: string | null;
}

/** The state of a sandbox. The arrays of records, newest first, are never replaced. */
export interface State {
  account: Account;
  credentials: Credentials;
  calls: Call[];
  recordings: Recording[];
  messages: Message[];
  /** Changes take effect with the next request. */
  settings: Settings;
  /** The last 1000 requests to the service, oldest first. */
  requests: LoggedRequest[];
  /** The faults of the next requests. */
  faults: FaultQueue;
  /** Counts requests for the rate limit. */
  count: RequestCount;
  clock: Clock;
  now(): Date;
  /** The webhooks. */
  events: Events;
  /** The status callbacks of recordings, by SID. */
  callbacks: Map<string, string>;
  /** Who opted out: the number that no longer sends, and the one that no longer gets messages. */
  optOuts: Set<string>;
  /** The one-time codes that were sent. */
  verifications: Map<string, Verification>;
  /** Fills the lists for a server that listens at `origin`. */
  open(origin: string): void;
  /** Restores the demo records and initial settings, and clears faults and the request log. */
  reset(): void;
  /** Writes the records to their file, if there is one. */
  save(): void;
}

/** The state of a new sandbox, without records before `open`. Throws if the file cannot be used. */
export function createState(options: SandboxOptions): State {
  const { username = SANDBOX_USERNAME, password = SANDBOX_PASSWORD, file, seed = 1 } = options;
  const root = `${options.basePath ?? ''}/2010-04-01/Accounts/${username}`;
  const saved = file === undefined ? undefined : readRecords(file, root);
  const { ignoreRecordingsFrom = true, publicMedia = false } = options;
  const settings = { ignoreRecordingsFrom, publicMedia };
  const clock = new Clock(options.now);
  const state: State = {
    account: { sid: username, root, origin: '' },
    credentials: new Map([[username, password], ...apiKeys(options)]),
    calls: [],
    recordings: [],
    messages: [],
    settings: { ...settings },
    requests: [],
    faults: new FaultQueue(seed),
    count: new RequestCount(options.limit, clock.now),
    clock,
    now: clock.now,
    events: new Events(clock, password, options.numbers ?? {}, seed),
    callbacks: new Map(),
    optOuts: new Set(),
    verifications: new Map(),
    open(origin) {
      state.account.origin = origin;
      replaceRecords(state, saved ? moved(saved, origin) : demoRecords());
      state.save();
    },
    reset() {
      clock.clear();
      state.events.reset();
      state.callbacks.clear();
      state.optOuts.clear();
      state.verifications.clear();
      replaceRecords(state, demoRecords());
      Object.assign(state.settings, settings);
      state.requests.length = 0;
      state.faults.clear();
      state.count.clear();
      state.save();
    },
    save() {
      if (file !== undefined) writeRecords(file, root, state);
    },
  };
  const demoRecords = () => seedRecords(state.account, state.now(), seed);
  return state;
}

function apiKeys({ apiKey }: SandboxOptions): [string, string][] {
  return apiKey ? [[apiKey.sid, apiKey.secret]] : [];
}

function replaceRecords(state: State, { calls, recordings, messages }: Records): void {
  state.calls.splice(0, Infinity, ...calls);
  state.recordings.splice(0, Infinity, ...recordings);
  state.messages.splice(0, Infinity, ...messages);
}

/** Updates the URLs of stored records, because the port can have changed. */
function moved(records: Records, origin: string): Records {
  const here = (one: Recording) => ({
    ...one,
    media_url: origin + new URL(one.media_url).pathname,
  });
  return { ...records, recordings: records.recordings.map(here) };
}
