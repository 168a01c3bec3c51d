import type { Said } from '../text/sentence.ts';
import type { BatchCost } from './batch-cost.ts';
import type { RowItem } from './row-item.ts';

/** The description of a batch by the builder when its button is pressed. Plain data. */
export interface BatchPress<Context> {
  /** The user who pressed the button. Only they can see, start, stop and delete the batch. */
  owner: string;
  actionId: string;
  /** Where the action runs, such as an account. Batches of one action and scope take each other's outcomes into account. */
  scope?: string;
  /** Equal each time the same button is pressed. */
  button: string;
  /** The context that the builder needs to run the batch. */
  context: Context;
}

/** Which rows to skip because of earlier batches. A stopped or interrupted batch is always completed. */
export interface SkipChoice {
  /** Whether to skip rows that got the same from a complete batch or, within the last day, by itself. If not given, they are skipped. */
  skipsSent?: boolean;
  /** Whether to skip rows that an earlier batch sent something else within the last day. If not given, only if it was stopped or interrupted. */
  skipsChanged?: boolean;
  /** Whether to skip rows that an action by itself sent something else within the last day. If not given, they are included. */
  skipsSentSingly?: boolean;
}

/** The rows of a batch. */
export interface BatchRows extends SkipChoice {
  items: RowItem[];
  /** Whether the rows record their outcomes. Then only these decide which rows are skipped. */
  isRecorded?: boolean;
}

/** How far a process has got with the rows of a preview, as the store keeps it. */
export interface StoredReading {
  ended: number;
  all: number;
  /** Why there is no preview, and another batch that runs the rows. */
  problem?: Said[];
  batch?: string;
}

export interface Reading extends StoredReading {
  /** Whether its process seems to have ended. */
  isInterrupted: boolean;
}

/** A batch, as its owner sees it. */
export interface Batch<Context> extends BatchPress<Context>, BatchRows {
  key: string;
  /**
   * - `choosing`: its rows aren't known yet
   * - `preview`: its preview is shown
   * - `interrupted`: its process ended
   */
  state: 'choosing' | 'preview' | 'running' | 'interrupted' | 'ended';
  /** How its rows are being read, while they aren't known yet. */
  reading?: Reading;
  /** Whether a click on its preview did not start it, because of another batch. */
  isShownAgain?: boolean;
  /** Whether it is running, but its owner stopped it. */
  isStopping?: boolean;
  /** When it was started, in milliseconds since 1970. */
  startedAt?: number;
  /** When the account's log was last checked for what was delivered, in milliseconds since 1970. */
  checkedAt?: number;
  /** What its rows cost, while its preview is shown. */
  cost?: BatchCost;
}

/** Where the rows of a batch are stored, and what happened to them. */
export interface StoredLog {
  id: string;
  /** How many rows it has. */
  rows: number;
  /** How many hashes of keys it has, once its batch has ended. */
  keys?: number;
}

/** The rows of a batch, as the store keeps them. */
export interface StoredRows extends Omit<BatchRows, 'items'> {
  log: StoredLog;
}

/** The preview of a batch, as the store keeps it; `null` once the batch was started or deleted. */
export interface StoredPreview<Context> extends BatchPress<Context> {
  rows?: StoredRows;
  reading?: StoredReading;
  /** The history that its owner saw with it. */
  seen?: SeenHistory;
  /** The indexes of the rows that its owner saw skipped. */
  skipped?: number[];
  /** The indexes of the rows that its owner saw included, although something was sent to them before. */
  again?: number[];
  /** Whether it was shown again because of another batch. */
  isShownAgain?: boolean;
}

/** A batch that was started, as the store keeps it; `null` once it was deleted. */
export interface StoredBatch<Context> extends BatchPress<Context>, StoredRows {
  /** Whether changes of its rows may be lost, so that all may have been sent. */
  isDamaged?: true;
  isRunning: boolean;
  /** Whether another process ended it, because its own seemed to have ended. */
  isInterrupted?: boolean;
  startedAt: number;
  checkedAt?: number;
}

/** The batches of an action, the newest first. They are one entry, so that a single swap decides which of two starts. */
export type StoredHistory = { key: string; button: string; isDeleted?: boolean }[];

/** The part of the history that a preview depends on. */
export interface SeenHistory {
  /** The last batch of the same button. */
  last?: string | undefined;
  deleted: number;
}

const hour = 3_600_000;

/** Times of batches, in milliseconds. */
export const batchLimits = {
  /** How long a batch and its result are kept: a month covers a holiday and a monthly campaign. */
  keptMs: 30 * 24 * hour,
  /** How long previews show what single actions sent. */
  singlesMs: 24 * hour,
  /** How long a preview can start a batch. After that it is outdated, and its numbers and texts are deleted. */
  previewMs: hour,
  /** After how long without a note the process that reads the rows of a preview counts as ended. */
  readingMs: 30_000,
  /** How often the process that runs a batch renews its lease. */
  renewMs: 1_000,
  /**
   * After how long without a renewal a batch counts as interrupted: five missed renewals. A process that was only slow can renew its
   * lease again, as long as no one has resumed its batch.
   */
  leaseMs: 5_000,
  /** How long a click on a preview that was shown again counts as the second click of a double click. */
  doubleClickMs: 2_000,
  /** How often to try again while the store is unavailable, how long a batch waits for it to go on, and how long to record outcomes. */
  retryEveryMs: 500,
  waitForMs: 60_000,
  recordForMs: 24 * hour,
};

/** How many of the newest batches of an action a new one takes into account: thirty a day. */
export const mostEarlierBatches = 1_000;

/**
 * The kinds of a batch's entries, and of single actions. A stop request is a separate entry, so it doesn't conflict with the process that runs
 * the batch.
 */
export const kinds = {
  previews: 'batch previews',
  previewRows: 'batch preview rows',
  batches: 'batches',
  starts: 'batch starts',
  rows: 'batch rows',
  changes: 'batch changes',
  keys: 'batch keys',
  stops: 'batch stops',
  history: 'batch history',
  singles: 'single sends',
};
