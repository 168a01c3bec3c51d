import pLimit from 'p-limit';
import type { CheckedSettings } from '../settings/check-settings.ts';
import type { Limits } from '../settings/limits.ts';

/** Where requests go, at what cost, and by whom, where that may be known there. */
export interface Place {
  origin: string;
  limits: Limits;
  username?: string;
  password?: string;
}

/** What the requests of an account are sent with: where to, by whom, at what cost, and in which turn. */
export interface Connection extends CheckedSettings {
  limits: Limits;
  /** Starts a piece of work when its turn has come. */
  queue: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** A connection by checked settings. Nothing is opened before the first request. */
export const connectionBy = (settings: CheckedSettings, limits: Limits): Connection => ({
  ...settings,
  limits,
  queue: pLimit(limits.concurrency),
});
