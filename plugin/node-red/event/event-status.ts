import type { TranslateUi } from '../locale/ui-texts.ts';
import { faultText } from '../node/fault-text.ts';
import type { FlowNode } from '../node-red.ts';

const timeText = (date: Date) =>
  date.toLocaleString('en-US', {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });

/** The status of an event node: how many events it received since the deploy, and when the last one arrived. */
export class EventStatus {
  #count = 0;
  #hasNews = false;

  constructor(
    private readonly node: FlowNode,
    private readonly t: TranslateUi,
  ) {}

  #received() {
    return this.t('__count__ received', { count: this.#count.toLocaleString('en-US') });
  }

  /** @param last when the last event arrived before the deploy */
  showWaiting(last: Date | undefined): void {
    if (this.#count > 0 || this.#hasNews) return;
    const text = last ? this.t('last: __time__', { time: timeText(last) }) : this.t('waiting');
    this.node.status({ fill: 'green', shape: 'ring', text });
  }

  /** Shows when a poll ended. */
  showPoll(at: Date): void {
    this.#hasNews = true;
    const poll = this.t('last poll: __time__', { time: timeText(at) });
    const text = this.#count > 0 ? `${this.#received()}, ${poll}` : poll;
    const shape = this.#count > 0 ? 'dot' : 'ring';
    this.node.status({ fill: 'green', shape, text });
  }

  showEvent(at: Date): void {
    this.#count += 1;
    const text = `${this.#received()}, ${this.t('last: __time__', { time: timeText(at) })}`;
    this.node.status({ fill: 'green', shape: 'dot', text });
  }

  showError(error: unknown): void {
    this.#hasNews = true;
    this.node.status({ fill: 'red', shape: 'ring', text: this.t(faultText(error)) });
  }
}
