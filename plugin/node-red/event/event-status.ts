import { TelephonyError } from '../../../src/index.ts';
import type { FlowNode } from '../node-red.ts';

const time = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

/** What stands under a node of an event: how many came since it was deployed, and when the last one did. */
export class EventStatus {
  #count = 0;

  constructor(private readonly node: FlowNode) {}

  /** It can hear events. @param last when the last one came, before it was deployed */
  waits(last: Date | undefined): void {
    if (this.#count > 0) return;
    const text = last ? `last ${time.format(last)}` : 'waiting';
    this.node.status({ fill: 'green', shape: 'ring', text });
  }

  heard(at: Date): void {
    this.#count += 1;
    const text = `${this.#count.toLocaleString('en-US')} received, last ${time.format(at)}`;
    this.node.status({ fill: 'green', shape: 'dot', text });
  }

  failed(error: unknown): void {
    const text = error instanceof TelephonyError ? error.code : 'unexpected';
    this.node.status({ fill: 'red', shape: 'ring', text });
  }
}
