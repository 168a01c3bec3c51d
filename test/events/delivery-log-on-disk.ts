import { setImmediate as tick } from 'node:timers/promises';
import type { DeliveryLog, EventIdentity, TelephonyEvent } from '../../src/builder.ts';

interface Row extends EventIdentity {
  isDelivered: boolean;
  /** The id of the process that delivers it. */
  owner: number;
}

/** The data that survives a process of an app: its delivery log, and the events that it handled. */
export class Disk {
  readonly rows = new Map<string, Row>();
  readonly subjects = new Map<string, Set<Row>>();
  readonly signatures = new Map<string, string>();
  /** The keys of the events, in order of delivery. */
  readonly deliveredKeys: string[] = [];
  /** The last delivered status of each record. */
  readonly statuses = new Map<string, string>();
}

/** A process that can be killed: its later steps never happen. */
export class Process {
  private end = () => {};
  private isAlive = true;
  readonly ended = new Promise<undefined>((resolve) => {
    this.end = () => resolve(undefined);
  });

  constructor(readonly id: number) {}

  kill() {
    this.isAlive = false;
    this.end();
  }

  /** A step at which the process may be killed. */
  async step(): Promise<void> {
    await tick();
    if (!this.isAlive) await new Promise(() => {});
  }
}

/** A delivery log on disk, like that of an adapter in a table. */
export function deliveryLogOnDisk(disk: Disk, process: Process): DeliveryLog {
  const rowOf = ({ key, signature }: EventIdentity) =>
    disk.rows.get(key) ?? disk.rows.get(disk.signatures.get(signature) ?? '');

  function known(identity: EventIdentity) {
    const row = rowOf(identity);
    if (row?.isDelivered) return 'delivered';
    if (row?.owner === process.id) return 'in-progress';
    const others = [...(disk.subjects.get(identity.subject) ?? [])];
    const isLate = others.some(
      ({ step, key }) => key !== identity.key && step >= identity.lateFrom,
    );
    return isLate ? 'stale' : 'new';
  }

  return {
    async begin(identity) {
      await process.step();
      const answer = known(identity);
      if (answer === 'new') {
        const row = { ...identity, isDelivered: false, owner: process.id };
        disk.rows.set(identity.key, row);
        disk.subjects.set(identity.subject, new Set(disk.subjects.get(identity.subject)).add(row));
        disk.signatures.set(identity.signature, identity.key);
      }
      return answer;
    },
    async delivered(identity) {
      await process.step();
      const row = disk.rows.get(identity.key);
      if (row) row.isDelivered = true;
    },
    async release(identity) {
      await process.step();
      const row = disk.rows.get(identity.key);
      if (row) disk.subjects.get(identity.subject)?.delete(row);
      disk.rows.delete(identity.key);
      disk.signatures.delete(identity.signature);
    },
  };
}

/** Handles an event and records its delivery in one transaction. */
export function handleEvent(disk: Disk, { id, record }: TelephonyEvent, identity: EventIdentity) {
  const row = disk.rows.get(identity.key);
  if (row) row.isDelivered = true;
  disk.deliveredKeys.push(identity.key);
  disk.statuses.set(`${id} ${record.sid}`, String(record.status));
}
