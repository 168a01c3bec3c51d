import type { NumberSettings } from './events.ts';
import type { RequestLimit } from './request-limit.ts';

/** What can be changed while the sandbox runs. */
export interface Settings {
  /** `From` has no effect on `GET /Recordings.json`, as with the original service; true at first. */
  ignoreRecordingsFrom: boolean;
  /** Sound of recordings needs no credentials, so a browser plays it without asking; false at first. */
  publicMedia: boolean;
}

/** How a sandbox is set up; its settings at the start are given among them. */
export interface SandboxOptions extends Partial<Settings> {
  /** Account SID; `SANDBOX_USERNAME` unless given. */
  username?: string;
  /** Auth Token; `SANDBOX_PASSWORD` unless given. */
  password?: string;
  /** Credentials that are accepted besides the account's own. */
  apiKey?: { sid: string; secret: string };
  /** Where numbers of the account report what happens to them, by number; nowhere unless given. */
  numbers?: Record<string, NumberSettings>;
  /** How many requests of the account are taken in a time; any number unless given. */
  limit?: RequestLimit;
  /** A loopback address; `127.0.0.1` unless given. */
  host?: string;
  /** A free one unless given. */
  port?: number;
  /** Path before `/2010-04-01`, such as `/api/laml`, as some compatible services have. */
  basePath?: string;
  /** JSON file that keeps the records over restarts; in memory only unless given. */
  file?: string;
  /** Same seed and same `now`, same records. */
  seed?: number;
  /** The moment the demo records lead up to; also the date of new records. The clock unless given. */
  now?: Date | (() => Date);
}
