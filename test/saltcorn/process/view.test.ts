import { takeRequests } from '../../support/take-requests.ts';
import { createTable } from '../app.ts';
import { type Host, type Loose, saltcorn, startSaltcorn, state } from '../host.ts';

const markup = '<img src=x onerror=alert(1)>';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
  const [first = {}, second = {}] = host.sandbox.calls;
  Object.assign(first, { from: markup, status: markup });
  Object.assign(second, { sid: "v3:CA-1_x='-alert(1)-'\\" });
});

const shown: [type: string, fieldview: string, value: unknown, html: string][] = [
  ['String', 'phone_link', '+12025550143', '<a href="tel:+12025550143">+12025550143</a>'],
  ['String', 'phone_link', '+1 (202) 555-0143', '<a href="tel:+12025550143">+1 (202) 555-0143</a>'],
  ['String', 'phone_link', 'client:<b>', 'client:&lt;b&gt;'],
  ['String', 'phone_link', 'javascript:x()', 'javascript:x()'],
  ['String', 'phone_link', `+1"'><b>`, '+1&quot;&#39;&gt;&lt;b&gt;'],
  ['String', 'phone_link', null, ''],
  ['String', 'status_badge', 'busy', '<span class="badge text-bg-warning">busy</span>'],
  ['String', 'status_badge', 'failed', '<span class="badge bg-danger text-black">failed</span>'],
  ['String', 'status_badge', '<new>', '<span class="badge text-bg-secondary">&lt;new&gt;</span>'],
  [
    'String',
    'status_badge',
    'constructor',
    '<span class="badge text-bg-secondary">constructor</span>',
  ],
  ['String', 'status_badge', null, ''],
  ['String', 'in_words', 'outbound-api', 'Outbound api'],
  ['String', 'in_words', 'machine_end_beep', 'Machine end beep'],
  ['String', 'in_words', '<new-one>', '&lt;new-one&gt;'],
  ['String', 'in_words', null, ''],
  ['String', 'status_badge', 'received', '<span class="badge text-bg-success">received</span>'],
  ['String', 'status_badge', 'done', '<span class="badge text-bg-success">done</span>'],
  ['String', 'status_badge', 'unknown', '<span class="badge text-bg-warning">unknown</span>'],
  [
    'String',
    'error_in_words',
    '30004',
    'The recipient or their carrier blocks messages from you. (30004)',
  ],
  ['String', 'error_in_words', '<99>', '&lt;99&gt;'],
  ['String', 'error_in_words', null, ''],
  ['Integer', 'clock_duration', 0, '0:00'],
  ['Integer', 'clock_duration', 125, '2:05'],
  ['Integer', 'clock_duration', 3725, '1:02:05'],
  ['Integer', 'clock_duration', null, ''],
  [
    'String',
    'audio_player',
    '/x"y',
    '<audio controls preload="none" aria-label="Listen" src="/x&quot;y"></audio>',
  ],
  ['String', 'audio_player', '//elsewhere.test/x', '//elsewhere.test/x'],
  ['String', 'audio_player', null, ''],
  ['String', 'audio_player', 'It is <encrypted>.', 'It is &lt;encrypted&gt;.'],
];

test.each(shown)('shows a %s in the field view %s: %j', (type, fieldview, value, html) => {
  const types: Loose = state().types;
  expect(types[type].fieldviews[fieldview].run(value)).toBe(html);
});

const formulas: [formula: string, text: string][] = [
  ['escapeHtml(from)', '&lt;b&gt;&quot;&#39;&amp;'],
  ['escapeHtml(to || 42)', '42'],
  ['escapeHtml(to)', ''],
];

test.each(formulas)('the formula %s gives %j', (formula, text) => {
  const { eval_expression } = saltcorn('data/models/expression');
  expect(eval_expression(formula, { from: `<b>"'&`, to: null }, undefined, '')).toBe(text);
});

describe('a dropdown', () => {
  const admin = { id: 1, role_id: 1 };
  let table: Loose;
  beforeAll(async () => {
    table = await createTable('calls', 'Telephony: Calls by caller id');
  });

  const offered = (column: string, user?: object): Promise<unknown[]> =>
    saltcorn('data/db').runWithTenant({ tenant: 'public', req: { user } }, () =>
      table.distinctValues(column, {}),
    );

  it('offers the choices of a column, not the values of rows, without a request', async () => {
    takeRequests(host.sandbox);
    expect(await offered('status', admin)).toEqual(
      ['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed'].concat([
        'no-answer',
        'canceled',
      ]),
    );
    expect(takeRequests(host.sandbox)).toEqual([]);
  });

  it('offers the values of the rows as escaped text', async () => {
    const froms = new Set(host.sandbox.calls.slice(1).map(({ from }) => from));
    expect(await offered('from', admin)).toEqual(
      expect.arrayContaining(['&lt;img src=x onerror=alert(1)&gt;', ...froms]),
    );
  });

  it.each([undefined, { id: 2, role_id: 40 }])(
    'offers the user %j no values of rows they may not read',
    async (user) => {
      expect(await offered('from', user)).toEqual([]);
    },
  );
});

test('the key of a row cannot break out of the script that Saltcorn writes it into', async () => {
  const table = await createTable('account', 'Telephony: Account Calls');
  const [, row] = await table.getRows({}, { limit: 2 });
  expect(row).toMatchObject({ sid: 'v3:CA-1_x=_-alert_1_-__' });
});
