import { randomUUID } from 'node:crypto';
import {
  continueBatch,
  type EarlierBatch,
  interruptedItems,
  type RowItem,
} from '../../../../src/index.ts';
import { runsResource } from '../../resources.ts';
import type { RunView } from '../../run-view.ts';
import { forget } from '../forget.ts';
import { isTaken } from '../is-taken.ts';
import type { Application } from '../nocobase.ts';

const hour = 3_600_000;

/** How long runs can be read, in milliseconds. */
const kept = 30 * 24 * hour;

/** How long it may be answered whether to begin, in milliseconds. */
const answerable = hour;

/** After how long without a sign of life a run has ended with its process, in milliseconds. */
const lifeless = 15_000;

/** How many of the newest runs count as earlier ones. */
const mostEarlier = 50;

/** Something that is done for selected rows. Times are in milliseconds. */
export interface Run {
  key: string;
  /** Who was asked, and may see what becomes of it. */
  userId: string;
  account: string;
  actionId: string;
  /** What was pressed: the same for one who presses the same. */
  button: string;
  state: 'asked' | 'running' | 'ended';
  /** What its button had begun last when someone was asked. */
  previous?: string | null;
  stopped?: boolean | null;
  startedAt?: number | null;
  aliveAt?: number | null;
  items: RowItem[];
}

/** The state of a run, with what is known only by a look at the clock. */
export const stateOf = ({ state, aliveAt }: Run): RunView['state'] =>
  state === 'running' && Number(aliveAt) < Date.now() - lifeless ? 'interrupted' : state;

/** The outcome of each row, as far as the process stored it before it ended. */
export const itemsOf = (run: Run): RowItem[] =>
  stateOf(run) === 'interrupted' ? interruptedItems(run.items, false) : run.items;

/** What was asked and begun, in NocoBase's database. */
export class Runs {
  readonly #app: Application;

  constructor(app: Application) {
    this.#app = app;
  }

  get #table() {
    return this.#app.db.getCollection(runsResource);
  }

  /** Forgets runs that are too long ago, and those that nobody said in time whether to begin. */
  async forgetPast(): Promise<void> {
    const before = (age: number) => ({ createdAt: { $lt: new Date(Date.now() - age) } });
    await forget(this.#table, before(kept));
    await forget(this.#table, { $and: [before(answerable), { state: 'asked' }] });
  }

  async create(run: Omit<Run, 'key' | 'state'>): Promise<Run> {
    await this.forgetPast();
    const asked = { ...run, key: randomUUID(), state: 'asked' as const };
    await this.#table.repository.create({ values: asked });
    return asked;
  }

  async #find(options: object): Promise<Run | undefined> {
    const row = await this.#table.repository.findOne(options);
    return row ? (row.toJSON() as unknown as Run) : undefined;
  }

  /** A run of somebody's; undefined when there is none, or it is not theirs. */
  find = (key: string, userId: string): Promise<Run | undefined> =>
    this.#find({ filter: { key, userId } });

  /** What a button began last besides this. */
  lastBegun = ({ key, button }: Run): Promise<Run | undefined> =>
    this.#find({
      filter: { button, key: { $ne: key }, state: { $ne: 'asked' } },
      sort: ['-startedAt'],
    });

  /** What any button of the action has begun on the account besides a run, the newest first. */
  async #earlierBatches({ key, account, actionId, button }: Run): Promise<EarlierBatch[]> {
    const rows = await this.#table.repository.find({
      filter: { account, actionId, key: { $ne: key }, state: { $ne: 'asked' } },
      ...{ sort: ['-startedAt'], limit: mostEarlier },
    });
    return rows.map((row) => {
      const run = row.toJSON() as unknown as Run;
      return {
        ...{ items: itemsOf(run), isRunning: stateOf(run) === 'running' },
        ...{ startedAt: new Date(Number(run.startedAt)), isSameButton: run.button === button },
      };
    });
  }

  /** What is to be done now for what was planned: nothing for those who were sent it by a batch that ended early. */
  async openItems(run: Run): Promise<RowItem[]> {
    return continueBatch(run.items, await this.#earlierBatches(run));
  }

  /** Changes a run where it is in a state, and more holds. Tells whether it was. */
  async #change(key: string, state: Run['state'], values: object, more = {}): Promise<boolean> {
    const { model, repository } = this.#table;
    const { where } = repository.buildQueryOptions({ filter: { key, state, ...more } });
    const [changed] = await model.update(values, { where });
    return changed > 0;
  }

  /** Asks again, where its button began something else meanwhile. */
  askAgain = ({ key }: Run, before: Run | undefined): Promise<boolean> =>
    this.#change(key, 'asked', { previous: before?.key ?? null });

  /** Begins a run that was asked about, once. Of several of a button, in whatever tab and process, one does. */
  async begin({ key, button, previous, items }: Run): Promise<boolean> {
    const turn = `${button} ${previous ?? ''}`;
    const now = Date.now();
    try {
      return await this.#change(key, 'asked', {
        ...{ state: 'running', turn, startedAt: now, aliveAt: now, items },
      });
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  /** Notes how far it is, and that it is alive: not of one that was held up until others took it for ended. */
  note = ({ key, items }: Run): Promise<boolean> => {
    const now = Date.now();
    const isAlive = { aliveAt: { $gte: now - lifeless } };
    return this.#change(key, 'running', { items, aliveAt: now }, isAlive);
  };

  end = ({ key, items }: Run): Promise<boolean> =>
    this.#change(key, 'running', { items, state: 'ended' });

  stop = ({ key }: Run): Promise<boolean> => this.#change(key, 'running', { stopped: true });

  /** Whether it is to do nothing more: what others took for ended may have been begun again by them. */
  async isStopped({ key, userId }: Run): Promise<boolean> {
    const run = await this.find(key, userId);
    return !run || run.stopped === true || stateOf(run) !== 'running';
  }
}
