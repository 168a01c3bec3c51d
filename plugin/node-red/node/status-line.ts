import {
  hasUnknownOutcome,
  isAction,
  type Operation,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Status } from '../node-red.ts';

const counted = (count: number, what: string) =>
  count > 0 && `${count.toLocaleString('en-US')} ${what}`;

const records = (count: number, more: boolean) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'record' : 'records'}${more ? ', and more' : ''}`;

const codeOf = (error: unknown) =>
  error instanceof TelephonyError ? error.code : ('unexpected' as const);

/** The status of a node: what it does, what it sent last, and what failed since it was deployed or reset. */
export class StatusLine {
  readonly #isAction: boolean;
  readonly #show: (status: Status) => void;
  #shown = '';
  #underWay = 0;
  #sent: string | false = false;
  #done = 0;
  #unknown = 0;
  #failed = 0;
  #lastFault = '';
  #isLastFailed = false;

  /** @param show shows it */
  constructor(operation: Operation, show: (status: Status) => void) {
    this.#isAction = isAction(operation);
    this.#show = show;
  }

  #update(look: Status, now: string | false) {
    const parts = [
      now,
      counted(this.#unknown, 'unknown'),
      counted(this.#failed, `failed: ${this.#lastFault}`),
    ];
    const text = parts.filter(Boolean).join(', ');
    if (text !== this.#shown) this.#show({ ...look, text });
    this.#shown = text;
  }

  #result(): string | false {
    return this.#isAction ? counted(this.#done, 'done') : this.#sent;
  }

  #updateResult() {
    const faults = this.#unknown + this.#failed;
    if (this.#isLastFailed) this.#update({ fill: 'red', shape: 'ring' }, this.#result());
    else if (faults > 0) this.#update({ fill: 'yellow', shape: 'ring' }, this.#result());
    else this.#update({ fill: 'green', shape: 'dot' }, this.#result());
  }

  #updateWork() {
    const work = this.#underWay > 1 ? counted(this.#underWay, 'requesting') : 'requesting';
    const done = this.#isAction && this.#result();
    this.#update({ fill: 'blue', shape: 'dot' }, done ? `${work}, ${done}` : work);
  }

  /** A message came in, and the service is asked. */
  began(): void {
    this.#underWay += 1;
    this.#updateWork();
  }

  /** Something of a list was sent on: so many records until now. */
  sent(count: number, more: boolean): void {
    this.#sent = records(count, more);
    this.#isLastFailed = false;
    if (!this.#isAction) this.#updateResult();
  }

  /**
   * What a message asked for came to its end.
   *
   * @param error what it failed with
   */
  ended(error?: unknown): void {
    this.#underWay -= 1;
    this.#isLastFailed = error !== undefined;
    if (error === undefined) this.#done += 1;
    else if (hasUnknownOutcome(error)) this.#unknown += 1;
    else {
      this.#failed += 1;
      this.#lastFault = codeOf(error);
    }
    if (this.#underWay > 0) this.#updateWork();
    else this.#updateResult();
  }

  /** Forgets what was. */
  reset(): void {
    this.#done = 0;
    this.#unknown = 0;
    this.#failed = 0;
    this.#sent = false;
    if (this.#underWay === 0) this.clear();
  }

  /** Shows nothing. */
  clear(): void {
    this.#shown = '';
    this.#show({});
  }
}
