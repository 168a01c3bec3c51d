import type { TranslateServer } from '../locale/server-translator.ts';
import { faultText } from '../node/fault-text.ts';
import type { FlowNode } from '../node-red.ts';

/** The status of an event node: how many events it received since the deploy, and when the last one arrived. */
export class EventStatus {
  #count = 0;
  #hasNews = false;

  constructor(
    private readonly node: FlowNode,
    private readonly t: TranslateServer,
  ) {}

  #received() {
    return this.t('__count__ received', { count: this.#count });
  }

  /** @param last when the last event arrived before the deploy */
  showWaiting(last: Date | undefined): void {
    if (this.#count > 0 || this.#hasNews) return;
    const text = last ? this.t('last: __time__', { time: last }) : this.t('waiting');
    this.node.status({ fill: 'green', shape: 'ring', text });
  }

  /** Shows when a poll ended. */
  showPoll(at: Date): void {
    this.#hasNews = true;
    const poll = this.t('last poll: __time__', { time: at });
    const text = this.#count > 0 ? `${this.#received()}, ${poll}` : poll;
    const shape = this.#count > 0 ? 'dot' : 'ring';
    this.node.status({ fill: 'green', shape, text });
  }

  showEvent(at: Date): void {
    this.#count += 1;
    const text = `${this.#received()}, ${this.t('last: __time__', { time: at })}`;
    this.node.status({ fill: 'green', shape: 'dot', text });
  }

  showError(error: unknown): void {
    this.#hasNews = true;
    this.node.status({ fill: 'red', shape: 'ring', text: this.t(faultText(error)) });
  }
}
