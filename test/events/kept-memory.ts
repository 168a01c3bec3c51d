import { setImmediate as tick } from 'node:timers/promises';
import type { DeliveryLog, EventIdentity, TelephonyEvent } from '../../src/builder.ts';

interface Row extends EventIdentity {
  isTold: boolean;
  /** The process that is telling it. */
  teller: number;
}

/** What outlives the processes of an app: which events were told, and what the app made of them. */
export class Disk {
  readonly rows = new Map<string, Row>();
  readonly subjects = new Map<string, Set<Row>>();
  readonly signatures = new Map<string, string>();
  /** The keys of what was reported, in order. */
  readonly reported: string[] = [];
  /** The status of every record, by what was reported of it last. */
  readonly statuses = new Map<string, string>();
}

/** A process that can be killed: what it does afterwards never happens. */
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

  /** Takes a moment, in which the process may end. */
  async step(): Promise<void> {
    await tick();
    if (!this.isAlive) await new Promise(() => {});
  }
}

/** A memory that is kept on a disk, as an adapter would keep it in a table. */
export function keptMemory(disk: Disk, process: Process): DeliveryLog {
  const rowOf = ({ key, signature }: EventIdentity) =>
    disk.rows.get(key) ?? disk.rows.get(disk.signatures.get(signature) ?? '');

  function known(note: EventIdentity) {
    const row = rowOf(note);
    if (row?.isTold) return 'delivered';
    if (row?.teller === process.id) return 'in-progress';
    const others = [...(disk.subjects.get(note.subject) ?? [])];
    const isLate = others.some(({ step, key }) => key !== note.key && step >= note.lateFrom);
    return isLate ? 'stale' : 'new';
  }

  return {
    async begin(note) {
      await process.step();
      const answer = known(note);
      if (answer === 'new') {
        const row = { ...note, isTold: false, teller: process.id };
        disk.rows.set(note.key, row);
        disk.subjects.set(note.subject, new Set(disk.subjects.get(note.subject)).add(row));
        disk.signatures.set(note.signature, note.key);
      }
      return answer;
    },
    async delivered(note) {
      await process.step();
      const row = disk.rows.get(note.key);
      if (row) row.isTold = true;
    },
    async release(note) {
      await process.step();
      const row = disk.rows.get(note.key);
      if (row) disk.subjects.get(note.subject)?.delete(row);
      disk.rows.delete(note.key);
      disk.signatures.delete(note.signature);
    },
  };
}

/** What an app writes down of an event and of its having been told: both, or, when the process ends before, neither. */
export function report(disk: Disk, { id, record }: TelephonyEvent, note: EventIdentity) {
  const row = disk.rows.get(note.key);
  if (row) row.isTold = true;
  disk.reported.push(note.key);
  disk.statuses.set(`${id} ${record.sid}`, String(record.status));
}
