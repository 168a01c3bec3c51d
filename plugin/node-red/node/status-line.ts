import {
  countText,
  hasUnknownOutcome,
  isAction,
  type Operation,
  type Say,
  sentence,
  successWord,
} from '../../../src/builder.ts';
import type { TranslateServer } from '../locale/server-translator.ts';
import type { UiText } from '../locale/ui-texts.ts';
import type { Status } from '../node-red.ts';
import { faultText } from './fault-text.ts';

/** The status of a node: what is in progress, the last result, and the failures since the deploy or reset. */
export class StatusLine {
  readonly #operation: Operation;
  readonly #t: TranslateServer;
  readonly #say: Say;
  readonly #show: (status: Status) => void;
  #shown = '';
  #inProgress = 0;
  #sent: string | false = false;
  #done = 0;
  #scheduled = 0;
  #unknown = 0;
  #failed = 0;
  #lastFault: UiText = 'unexpected error';
  #isLastFailed = false;

  /**
   * @param t translates a text into the server's language
   * @param say writes sentences in it
   * @param show shows a status
   */
  constructor(operation: Operation, t: TranslateServer, say: Say, show: (status: Status) => void) {
    this.#operation = operation;
    this.#t = t;
    this.#say = say;
    this.#show = show;
  }

  #counted(count: number, text: UiText, values?: Record<string, string>): string | false {
    return count > 0 && this.#t(text, { count, ...values });
  }

  #update(look: Status, now: string | false) {
    const parts = [
      now,
      this.#unknown > 0 &&
        this.#say(
          sentence('{count} {outcome}', { count: this.#unknown, outcome: sentence('unknown') }),
        ),
      this.#counted(this.#failed, '__count__ failed: __reason__', {
        reason: this.#t(this.#lastFault),
      }),
    ];
    const text = parts.filter(Boolean).join(', ');
    if (text !== this.#shown) this.#show({ ...look, text });
    this.#shown = text;
  }

  #result(): string | false {
    if (!isAction(this.#operation)) return this.#sent;
    const action = this.#operation;
    const counts = Object.entries({
      [successWord(action)]: this.#done,
      scheduled: this.#scheduled,
    }).filter(([, count]) => count > 0);
    return (
      counts.length > 0 && this.#say(counts.map(([word, count]) => countText(action, word, count)))
    );
  }

  #updateResult() {
    const faults = this.#unknown + this.#failed;
    if (this.#isLastFailed) this.#update({ fill: 'red', shape: 'ring' }, this.#result());
    else if (faults > 0) this.#update({ fill: 'yellow', shape: 'ring' }, this.#result());
    else this.#update({ fill: 'green', shape: 'dot' }, this.#result());
  }

  #updateWork() {
    const work =
      this.#inProgress > 1
        ? this.#counted(this.#inProgress, '__count__ requesting')
        : this.#t('requesting');
    const done = isAction(this.#operation) && this.#result();
    this.#update({ fill: 'blue', shape: 'dot' }, done ? `${work}, ${done}` : work);
  }

  /** Shows that a request has started. */
  began(): void {
    this.#inProgress += 1;
    this.#updateWork();
  }

  /** Shows the number of records read. */
  sent(count: number, more: boolean): void {
    const text = count === 1 ? '__count__ record' : '__count__ records';
    this.#sent = this.#t(more ? `${text}, and more` : text, { count });
    this.#isLastFailed = false;
    if (!isAction(this.#operation)) this.#updateResult();
  }

  /**
   * Shows that a run has ended.
   *
   * @param error why it failed
   * @param isLater whether the service sends it later
   */
  ended(error?: unknown, isLater = false): void {
    this.#inProgress -= 1;
    this.#isLastFailed = error !== undefined;
    if (error === undefined && isLater) this.#scheduled += 1;
    else if (error === undefined) this.#done += 1;
    else if (hasUnknownOutcome(error)) this.#unknown += 1;
    else {
      this.#failed += 1;
      this.#lastFault = faultText(error);
    }
    if (this.#inProgress > 0) this.#updateWork();
    else this.#updateResult();
  }

  /** Clears the counts. */
  reset(): void {
    this.#done = 0;
    this.#scheduled = 0;
    this.#unknown = 0;
    this.#failed = 0;
    this.#sent = false;
    if (this.#inProgress === 0) this.clear();
  }

  clear(): void {
    this.#shown = '';
    this.#show({});
  }
}
