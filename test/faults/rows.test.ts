import { join } from 'node:path';
import { connect, type RowNote } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSlowSandbox } from './open-slow-sandbox.ts';
import { peopleOf, text } from './row-runs.ts';
import { account, accountPath, basic, skipRetryWaits, telephonyAt } from './service.ts';
import { notesAt } from './table-of-files.ts';

afterEach(() => jest.restoreAllMocks());

test('two simultaneous batches see the rows of each other as sent', async () => {
  const sandbox = await openSlowSandbox();
  const folder = join(temporaryFolder('rows'), 'table');
  const telephony = telephonyAt(sandbox.url);
  const runs = await Promise.all([1, 2].map(() => text(telephony, peopleOf(folder, 10))));
  for (const { to } of peopleOf(folder, 10))
    expect(runs.map((ends) => ends.get(to)).sort()).toEqual(['already-done', 'done']);
  expect(sandbox.messages).toHaveLength(10);
});

/** Texts the first of the people, like a process that has ended since. */
const sendByOther = ({ url }: Sandbox) =>
  fetch(`${url}${accountPath}/Messages.json`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ From: '+14155550100', To: '+12025550000', Body: 'Hello' }),
  });

interface Case {
  name: string;
  /** The recorded outcome, written so many milliseconds ago. */
  outcome?: string;
  ago?: number;
  /** Whether the service has the message: sent since then, or before. */
  has?: 'since' | 'before';
  end: string;
  recorded?: string;
  sent?: number;
}

const minute = 60_000;
const cases: Case[] = [
  { name: 'empty', end: 'done', recorded: 'sent', sent: 1 },
  { name: 'failed', outcome: 'failed', ago: minute, end: 'done', recorded: 'sent', sent: 1 },
  { name: 'sent', outcome: 'sent', ago: minute, end: 'already-done' },
  { name: 'done', outcome: 'done', ago: minute, end: 'already-done' },
  { name: 'not understood', outcome: 'no thanks', end: 'failed' },
  {
    name: 'in progress for three minutes',
    outcome: 'in progress',
    ago: 3 * minute,
    end: 'unknown',
    recorded: 'unknown',
  },
  { name: 'in progress without a time', outcome: 'in progress', end: 'unknown' },
  { name: 'unknown', outcome: 'unknown', ago: 3 * minute, end: 'unknown' },
  ...['in progress', 'unknown'].flatMap((outcome): Case[] => [
    {
      ...{ name: `${outcome}, with its message on the service`, outcome, ago: minute },
      ...{ has: 'since', end: 'done', recorded: 'sent' },
    },
    {
      ...{
        name: `${outcome}, with only an older message on the service`,
        outcome,
        ago: 3 * minute,
      },
      ...{ has: 'before', end: 'unknown', recorded: 'unknown' },
    },
  ]),
];

test.each(cases)(
  'a row whose status is $name',
  async ({ outcome, ago, has, end, recorded, sent = 0 }) => {
    skipRetryWaits();
    const sandbox = await openSlowSandbox();
    const telephony = telephonyAt(sandbox.url);
    const folder = temporaryFolder('rows');
    const [person] = peopleOf(folder, 1);
    const time = ago === undefined ? undefined : new Date(Date.now() - ago);
    const note: RowNote | undefined = outcome ? { outcome, time } : undefined;
    if (note) await notesAt(folder, 0).replace(undefined, note);
    if (has) await sendByOther(sandbox);
    const [message] = sandbox.messages;
    if (message && has === 'before')
      message.date_created = new Date(Date.now() - 2 * (ago ?? 0)).toUTCString();
    const ends = await text(telephony, person ? [person] : []);
    expect([...ends.values()]).toEqual([end]);
    expect(sandbox.messages).toHaveLength(sent + (has ? 1 : 0));
    const after = await notesAt(folder, 0).read();
    expect(after).toEqual({
      outcome: recorded ?? outcome,
      ...((sent > 0 || time) && { time: sent > 0 ? after?.time : time }),
      ...(recorded === 'sent' && { sid: sandbox.messages[0]?.sid }),
    });
  },
);

test.each([
  ['found', 'done', 60_000],
  ['not found', 'unknown', 300],
])(
  'the outcome of a check, %s, is reported but not recorded while another batch changes the row',
  async (found, end, confirm) => {
    const sandbox = await openSandbox(account);
    sandbox.messages.length = 0;
    if (found === 'found') await sendByOther(sandbox);
    skipRetryWaits();
    const [person] = peopleOf(join(temporaryFolder('rows'), 'table'), 1);
    const note = { outcome: 'in progress', time: new Date(Date.now() - 3 * minute) };
    const replace = jest.fn(async () => false);
    replace.mockRejectedValue(new Error('again')).mockResolvedValueOnce(false);
    const locked = {
      ...person,
      to: 'them',
      input: person?.input ?? {},
      notes: { read: async () => note, replace },
    };
    const ends = await text(telephonyAt(sandbox.url, { confirmTimeoutMs: confirm }), [locked]);
    expect(ends.get('them')).toBe(end);
  },
);

test('a batch waits for a row in progress no longer than sending can take', async () => {
  skipRetryWaits();
  const sandbox = await openSlowSandbox();
  const telephony = telephonyAt(sandbox.url, { confirmTimeoutMs: 300 });
  const folder = temporaryFolder('rows');
  const inProgress = { outcome: 'in progress', time: await telephony.now() };
  await notesAt(folder, 0).replace(undefined, inProgress);
  const startedAt = performance.now();
  const ends = await text(telephony, peopleOf(folder, 1), 3_000);
  expect([...ends.values()]).toEqual(['unknown']);
  // The service's clock has a resolution of one second.
  expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  expect(sandbox.messages).toEqual([]);
}, 30_000);

test('the outcome that the sender records overrides a check that found nothing', async () => {
  const sandbox = await openSlowSandbox();
  const folder = temporaryFolder('rows');
  const [person] = peopleOf(folder, 1);
  if (!person?.notes) throw new Error('There are no notes.');
  const { notes } = person;
  const replace: typeof notes.replace = async (old, note) => {
    if (old?.outcome === 'in progress') await notes.replace(old, { ...old, outcome: 'unknown' });
    return notes.replace(old, note);
  };
  await text(telephonyAt(sandbox.url), [{ ...person, notes: { ...notes, replace } }]);
  expect(await notes.read()).toMatchObject({ outcome: 'sent', sid: sandbox.messages[0]?.sid });
});

test('a batch records failures, and a stop leaves the other rows unchanged', async () => {
  const sandbox = await openSlowSandbox();
  const folder = temporaryFolder('rows');
  const wrong = connect({ ...account, password: 'another', baseUrl: sandbox.url });
  const ends = [...(await text(wrong, peopleOf(folder, 7))).values()];
  expect(ends.sort()).toEqual([...Array(5).fill('failed'), 'not-run', 'not-run']);
  const notes = await Promise.all([0, 6].map((row) => notesAt(folder, row).read()));
  expect(notes.map((note) => note?.outcome)).toEqual(['failed', undefined]);
});
