import { definitions } from '../../../src/builder.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { createNative, createTable, createTrigger, forEveryone } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

// Batches of triggers, workflows and API calls, which no one confirms or watches.

let host: Host;
let crashLog: CrashLog;
const people = [
  ['Ada', '+12025550101', 'yes'],
  ['Grace', '+12025550102', 'yes'],
  ['Edsger', '+12025550103', 'no'],
  ['Barbara', '+12025550104', 'yes'],
];
const columns = { name: 'String', phone: 'String', wants: 'String' };
const forStaff = { min_role_read: 40 };

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  const customers = people.map(([name, phone, wants]) => ({ name, phone, wants }));
  await createNative('Customers', columns, customers, forStaff);
  const leads = Array.from({ length: 30 }, (_, index) => ({
    phone: `+120255502${10 + index}`,
    name: 'Lead',
  }));
  await createNative('Leads', columns, leads, forStaff);
  await createTable('Calls', 'Telephony: Calls by caller id');
});
beforeEach(async () => {
  await installPlugin(artefact, host.settings);
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
  await crashLog.clear();
});

const configuration = {
  rows_table: 'Customers',
  rows_limit: 100,
  from: '+14155550100',
  to: '{{ phone }}',
  body: 'Dear {{ name }}, we are closed & sorry.',
};
const run = (overrides: object = {}, others: object = {}): Promise<Loose> =>
  state().actions['Send SMS for each row'].run({
    configuration: { ...configuration, ...overrides },
    ...others,
  });
const sent = () => host.sandbox.messages.map(({ to, body }) => [to, body.split(',')[0]]).sort();
test('each action that can be undone can run for each row, with the table first, then the message, then which rows', async () => {
  const names = definitions.actions.flatMap(({ name, asks }) =>
    asks ? [] : [`${name} for each row`],
  );
  expect(Object.keys(state().actions)).toEqual(expect.arrayContaining(names));
  const fields = await state().actions['Send SMS for each row'].configFields();
  expect(fields.map(({ name, required }: Loose) => [name, required])).toEqual([
    ['rows_table', true],
    ['from', true],
    ['to', true],
    ['body', true],
    ['rows_of_page', false],
    ['rows_where', false],
    ['rows_limit', true],
    ['rows_outcome', false],
    ['rows_sid', false],
    ['rows_time', false],
  ]);
});

test('the example of a recipient is a value of the row, as each row has its own', async () => {
  const placeholders = (fields: Loose[]) =>
    fields.map(({ name, attributes }) => [name, attributes?.placeholder]);
  const { actions } = state();
  const one = placeholders(await actions['Send SMS'].configFields());
  const each = placeholders(await actions['Send SMS for each row'].configFields());
  expect(one).toEqual([
    ['from', '+14155550100'],
    ['to', '+14155550123'],
    ['body', 'Your table is ready.'],
  ]);
  expect(each.slice(1, 4)).toEqual(one.with(1, ['to', '{{ phone }}']));
});

test('no action has a field with the name of a row setting', () => {
  const keys = definitions.actions.flatMap(({ fields }) => fields.map(({ key }) => key));
  expect(keys.filter((key) => key.startsWith('rows_'))).toEqual([]);
});

test('runs once for each row, with its values', async () => {
  expect(await run()).toEqual({ notify_success: 'Send SMS: 4 sent.' });
  expect(sent()).toEqual(people.map(([name, phone]) => [phone, `Dear ${name}`]).sort());
});

test('runs for rows of the service, too', async () => {
  const inProgress = host.sandbox.calls.filter(({ status }) => status === 'in-progress');
  const before = host.sandbox.recordings.length;
  const result = await state().actions['Create a Call Recording for each row'].run({
    configuration: {
      ...{ rows_table: 'Calls', callSid: '{{ sid }}' },
      rows_where: 'status === "in-progress"',
    },
  });
  expect(result).toEqual({
    notify_success: `Create a Call Recording: ${inProgress.length} recordings.`,
  });
  expect(host.sandbox.recordings).toHaveLength(before + inProgress.length);
});

test('sends once for rows with the same message', async () => {
  const result = await run({ to: '+12025550199', body: 'Hello' });
  expect(result).toEqual({ notify_success: 'Send SMS: 1 sent, 3 skipped.' });
  expect(sent()).toEqual([['+12025550199', 'Hello']]);
});

test('sends once for rows with the same number, written differently', async () => {
  const twice = ['+12025550101', ' +1 (202) 555-0101', '+1-202-555-0101'];
  const rows = twice.map((phone) => ({ name: 'Ada', phone }));
  await createNative('Twice', columns, rows, forStaff);
  const result = await run({ rows_table: 'Twice' });
  expect(result).toEqual({ notify_success: 'Send SMS: 1 sent, 2 skipped.' });
  expect(sent()).toEqual([['+12025550101', 'Dear Ada']]);
});

test('refuses a formula that it cannot parse, and sends nothing', async () => {
  for (const rows_where of ['false', '1 =', '{ name: user.nickname }', 'nmae === "Ada"'])
    await expect(run({ rows_where })).rejects.toThrow('“Only where” is invalid');
  expect(sent()).toEqual([]);
});

const partly = {
  rows_where: '{ wants: "yes" }',
  body: '{{ name == "Barbara" ? "" : name }}',
};
// Either response can get lost, because two messages are in progress at a time.
const problems = [
  expect.stringMatching(/^Barbara \(\+12025550104\): "Body" is missing/),
  expect.stringMatching(
    /^(Ada|Grace) \(\+1202555010[12]\): .* is unknown; it was not sent again\./,
  ),
];
const barbaraFirst = (lines: string[]) =>
  lines.toSorted(
    (one, other) => Number(other.startsWith('Barbara')) - Number(one.startsWith('Barbara')),
  );

test('throws the failed and unknown rows with names and numbers, and resends nothing', async () => {
  host.sandbox.faults.add({ name: 'reset-after', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  const error: Error & { code?: string } = await run(partly).catch((thrown) => thrown);
  const [counts, ...lines] = error.message.split('\n');
  expect(counts).toBe('Send SMS for each row: 1 sent, 1 failed, 1 unknown.');
  expect(barbaraFirst(lines)).toEqual(problems);
  expect(error.code).toBe('unknown-outcome');
  expect(sent()).toEqual([
    ['+12025550101', 'Ada'],
    ['+12025550102', 'Grace'],
  ]);
});

test('stops when the service refuses the credentials', async () => {
  await installPlugin(artefact, { ...host.settings, password: 'wrong-password-1' });
  const error: Error = await run({ rows_table: 'Leads' }).catch((thrown) => thrown);
  const [, failed, notRun] = error.message.match(/: 0 sent, (\d+) failed, (\d+) not run\.\n/) ?? [];
  expect(Number(failed) + Number(notRun)).toBe(30);
  expect(Number(failed)).toBeLessThanOrEqual(5);
  expect(error.message).toContain('The service rejected the credentials');
});

test('joins failures of one kind into one sentence with all names', async () => {
  const error: Error & { code?: string } = await run({ rows_table: 'Leads', body: '' }).catch(
    (thrown) => thrown,
  );
  expect(error.code).toBe('rejected');
  const [counts, line, ...others] = error.message.split('\n');
  expect(counts).toContain('Send SMS for each row: 0 sent, 30 failed.');
  expect(line?.match(/Lead \(\+\d+\)/g)).toHaveLength(30);
  expect(others).toEqual([]);
});

/** Runs Saltcorn's scheduler once. */
const tick = () => {
  let ticks = 0;
  const stop_when = () => {
    ticks += 1;
    return ticks > 1;
  };
  return saltcorn('data/models/scheduler').runScheduler({ stop_when, tickSeconds: 0.001 });
};

test('logs the unknown rows of a scheduled batch, with names and numbers', async () => {
  const trigger = await createTrigger({
    ...{ name: 'often', when_trigger: 'Often', action: 'Send SMS for each row' },
    configuration: { ...configuration, rows_table: 'Leads', body: 'A secret word' },
  });
  jest.spyOn(console, 'error').mockImplementation(() => {});
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 20 });
  host.sandbox.faults.add(shownNowhere);
  await tick();
  await trigger.delete();
  const [crash, ...others] = await crashLog.entries();
  expect(others).toEqual([]);
  expect(crash.message).toContain('Send SMS for each row: 10 sent, 20 unknown.');
  expect(crash.message.match(/Lead \(\+\d+\)/g)).toHaveLength(20);
  expect(JSON.stringify(crash)).not.toContain('A secret word');
  expect(host.sandbox.messages).toHaveLength(30);
});

describe('a workflow', () => {
  test('continues with the counts and the records', async () => {
    const result = await run({ rows_where: '{ name: "Ada" }' }, { mode: 'workflow' });
    expect(result).toEqual({
      ...{ done: 1, alreadyDone: 0, duplicate: 0, failed: 0, optedOut: 0, unknown: 0, notRun: 0 },
      problems: [],
      messages: [expect.objectContaining({ to: '+12025550101', status: 'queued' })],
    });
    expect(await crashLog.entries()).toEqual([]);
  });

  test('continues after failures, which the crash log records', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    host.sandbox.faults.add({ name: 'reset-after', times: 1 });
    host.sandbox.faults.add(shownNowhere);
    const result = await run(partly, { mode: 'workflow' });
    expect(result).toMatchObject({ done: 1, failed: 1, unknown: 1 });
    expect(barbaraFirst(result.problems)).toEqual(problems);
    const [crash] = await crashLog.entries();
    for (const problem of result.problems) expect(crash.message).toContain(problem);
  });

  test('fails if its rows cannot be determined', async () => {
    await expect(run({ rows_where: 'false' }, { mode: 'workflow' })).rejects.toThrow(
      '“Only where” is invalid',
    );
  });
});

describe('an API call', () => {
  let website: Website;
  beforeAll(async () => {
    website = await startWebsite();
    await createNative('Members', columns, [{ name: 'Ada', phone: '+12025550101' }], forEveryone);
    for (const rows_table of ['Customers', 'Members'])
      await createTrigger({
        ...{ name: rows_table, when_trigger: 'API call', action: 'Send SMS for each row' },
        ...{ min_role: 100, configuration: { ...configuration, rows_table } },
      });
  });
  const call = async (name: string, minimumRole = '100') => {
    await installPlugin(artefact, { ...host.settings, minimumRole });
    return (await website.guest()).post(`/api/action/${name}`, {}, { 'page-load-tag': '' });
  };

  test('returns when the batch has ended', async () => {
    const data = { notify_success: 'Send SMS: 1 sent.' };
    expect(await call('Members')).toEqual({ success: true, data });
    expect(sent()).toEqual([['+12025550101', 'Dear Ada']]);
  });

  test('sends only for rows that it may read', async () => {
    expect(await call('Customers')).toMatchObject({
      data: { notify_success: 'Send SMS: 0 sent.' },
    });
    expect(sent()).toEqual([]);
  });

  test.each(['name === $who', '{ name: who }'])(
    'selects rows by a value of its body with %s, and none by an operator',
    async (rows_where) => {
      const name = `only ${rows_where}`;
      await createTrigger({
        ...{ name, when_trigger: 'API call', action: 'Send SMS for each row', min_role: 100 },
        configuration: { ...configuration, rows_table: 'Members', rows_where },
      });
      await installPlugin(artefact, { ...host.settings, minimumRole: '100' });
      const guest = await website.guest();
      const post = (who: unknown) =>
        guest.post(`/api/action/${encodeURIComponent(name)}`, { who }, { 'page-load-tag': '' });
      for (const who of [{ ilike: '%' }, { not: 'x' }, [{ ilike: '%' }]])
        expect(await post(who)).toMatchObject({
          error: expect.stringContaining('is not a text, a number, a date or a list of these'),
        });
      expect(sent()).toEqual([]);
      await post('Ada');
      expect(sent()).toEqual([['+12025550101', 'Dear Ada']]);
    },
  );

  test('sends nothing if it may not run actions', async () => {
    expect(await call('Members', '1')).toMatchObject({
      success: false,
      error: expect.stringContaining('You may not run'),
    });
    expect(sent()).toEqual([]);
  });
});
