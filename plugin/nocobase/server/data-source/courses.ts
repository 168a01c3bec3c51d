import { TTLCache } from '@isaacs/ttlcache';
import { type DataSource, freePageSize } from '../../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { Course } from './course.ts';

/** How long a list is kept after it was last asked for, in milliseconds, and how many are. */
const limits = { ttl: 5 * 60_000, max: 50, updateAgeOnGet: true };

/** The lists of a data source that someone goes through, so that each page goes on where the one before it ended. */
export class Courses {
  readonly #source: DataSource;
  /** By account: one whose settings were changed is another one. */
  readonly #kept = new WeakMap<Account, TTLCache<string, Course>>();

  constructor(source: DataSource) {
    this.#source = source;
  }

  /**
   * The list that is gone through, or one that begins anew.
   *
   * @param input what it is filtered by
   * @param size how many records are wanted at a time
   * @param isFirst whether its first page is asked for, which shows what there is now
   */
  of(account: Account, input: object, size: number, isFirst: boolean): Course {
    const kept = this.#kept.get(account) ?? new TTLCache<string, Course>(limits);
    this.#kept.set(account, kept);
    const pageSize = freePageSize(this.#source);
    const { maximum = size } = pageSize ?? {};
    const whole = pageSize ? { ...input, [pageSize.key]: Math.min(size, maximum) } : input;
    const key = JSON.stringify(Object.entries(whole).sort());
    const known = kept.get(key);
    if (known && !known.isOver && !isFirst) return known;
    const course = new Course((signal) =>
      account.telephony().pages(this.#source.id, whole, { signal }),
    );
    kept.set(key, course);
    return course;
  }
}
