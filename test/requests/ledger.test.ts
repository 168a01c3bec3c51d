import type { TelephonyRecord } from '../../src/builder.ts';
import { Ledger, ledgerOf } from '../../src/confirm/ledger.ts';

// How long another confirmation could find a record, in milliseconds.
const memory = 120_000;
const record = { sid: 'SM1', to: '+12025550143' };
const toThem = ({ to }: TelephonyRecord) => to === record.to;

let now = 0;
beforeEach(() => {
  now += 1_000 * memory;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const begun = (ledger: Ledger, matches = toThem) => {
  const write = ledger.open(matches);
  write.start();
  return write;
};

/** Closes another write, which makes the ledger forget old ones. */
const doOther = (ledger: Ledger) => ledger.close(begun(ledger), 'ended');

test('each account has one ledger', () => {
  expect(ledgerOf('one')).toBe(ledgerOf('one'));
  expect(ledgerOf('one')).not.toBe(ledgerOf('another'));
});

test('a record may belong to every equal write in progress, until its outcome is known', async () => {
  const ledger = new Ledger();
  const waiting = ledger.open(toThem);
  const [first, second] = [begun(ledger), begun(ledger)];
  begun(ledger, () => false);
  const known = () => [ledger.inProgress([record]), ledger.unknown([record]).length];
  expect([waiting.state, first.sentAt]).toEqual(['waiting', now]);
  expect(known()).toEqual([[first, second], 0]);
  first.end('confirming');
  expect(await first.ended).toBeUndefined();
  expect(known()).toEqual([[second], 0]);
  ledger.close(first, 'unknown');
  expect(known()).toEqual([[second], 1]);
  ledger.close(second, 'ended');
  expect(known()).toEqual([[], 1]);
});

test('an unknown outcome is forgotten once its record can no longer be found', () => {
  const ledger = new Ledger();
  const inProgress = begun(ledger);
  ledger.close(begun(ledger), 'unknown');
  now += memory - 1;
  doOther(ledger);
  expect(ledger.unknown([record])).toHaveLength(1);
  now += 1;
  doOther(ledger);
  expect(ledger.unknown([record])).toEqual([]);
  expect(ledger.inProgress([record])).toEqual([inProgress]);
});

test('a claimed record stays claimed while a write could still look for it', () => {
  const ledger = new Ledger();
  ledger.claim('SM1');
  now += memory - 1;
  doOther(ledger);
  expect(ledger.isClaimed('SM1')).toBe(true);
  const old = begun(ledger);
  now += memory;
  doOther(ledger);
  expect(ledger.isClaimed('SM1')).toBe(true);
  ledger.claim('SM2');
  ledger.close(old, 'ended');
  expect(ledger.isClaimed('SM1')).toBe(true);
  doOther(ledger);
  expect(['SM1', 'SM2', 'SM3'].map(ledger.isClaimed)).toEqual([false, true, false]);
});

test('an unknown outcome whose record is found later is no longer unknown', () => {
  const ledger = new Ledger();
  const [found, other] = [begun(ledger), begun(ledger)];
  for (const write of [found, other]) ledger.close(write, 'unknown');
  ledger.claim('SM1', { id: found.id, since: now });
  expect(ledger.unknown([record])).toEqual([other]);
  expect([found.id, other.id, 'another'].map((id) => ledger.remembers(id))).toEqual([
    ...[true, true, false],
  ]);
});
