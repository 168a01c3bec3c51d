import { TelephonyError } from '../../../src/builder.ts';
import type { FlowNode } from '../node-red.ts';

const time = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

/** The status of an event node: how many events it received since it was deployed, and when the last one. */
export class EventStatus {
  #count = 0;
  #wasAsked = false;

  constructor(private readonly node: FlowNode) {}

  /** It can hear events. @param last when the last one came, before it was deployed */
  waits(last: Date | undefined): void {
    if (this.#count > 0 || this.#wasAsked) return;
    const text = last ? `last ${time.format(last)}` : 'waiting';
    this.node.status({ fill: 'green', shape: 'ring', text });
  }

  /** A poll has ended. */
  asked(at: Date): void {
    this.#wasAsked = true;
    const count = this.#count > 0 ? `${this.#count.toLocaleString('en-US')} received, ` : '';
    const shape = this.#count > 0 ? 'dot' : 'ring';
    this.node.status({ fill: 'green', shape, text: `${count}asked ${time.format(at)}` });
  }

  heard(at: Date): void {
    this.#count += 1;
    const text = `${this.#count.toLocaleString('en-US')} received, last ${time.format(at)}`;
    this.node.status({ fill: 'green', shape: 'dot', text });
  }

  failed(error: unknown): void {
    this.#wasAsked = true;
    const text = error instanceof TelephonyError ? error.code : 'unexpected';
    this.node.status({ fill: 'red', shape: 'ring', text });
  }
}
