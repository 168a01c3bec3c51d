import type { NumberSettings } from './events.ts';
import type { RequestLimit } from './request-limit.ts';

/** What can be changed while the sandbox runs. */
export interface Settings {
  /** `GET /Recordings.json` ignores `From`, like the original service; true by default. */
  ignoreRecordingsFrom: boolean;
  /** Audio needs no credentials, so that a browser plays it; false by default. */
  publicMedia: boolean;
}

/** The options of a sandbox, including its initial settings. */
export interface SandboxOptions extends Partial<Settings> {
  /** Account SID; `SANDBOX_USERNAME` by default. */
  username?: string;
  /** Auth Token; `SANDBOX_PASSWORD` by default. */
  password?: string;
  /** Further accepted credentials. */
  apiKey?: { sid: string; secret: string };
  /** The webhook URLs of the account's numbers, by number. */
  numbers?: Record<string, NumberSettings>;
  /** The rate limit of the account; none by default. */
  limit?: RequestLimit;
  /** A loopback address; `127.0.0.1` by default. */
  host?: string;
  /** A free port by default. */
  port?: number;
  /** A path before `/2010-04-01`, such as `/api/laml`, which some compatible services have. */
  basePath?: string;
  /** A JSON file that keeps the records across restarts; in memory by default. */
  file?: string;
  /** The same seed and the same `now` produce the same records. */
  seed?: number;
  /** The date of the newest demo records and of new records; the machine's clock by default. */
  now?: Date | (() => Date);
}
