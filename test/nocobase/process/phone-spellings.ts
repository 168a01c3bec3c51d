import {
  askedBySpelling,
  countries,
  type Spelling,
  sentBySpelling,
  sentParameter,
  spellingsIn,
  withEach,
} from '../../support/phone-spellings.ts';
import type { Opened } from '../open-nocobase.ts';

/** Phone numbers are read in all spellings. */
export function readsSpellings(opened: () => Opened): void {
  let sandbox: Opened['sandbox'];
  let server: Opened['server'];
  let settings: Opened['settings'];
  beforeAll(() => {
    ({ sandbox, server, settings } = opened());
  });
  beforeAll(async () => {
    const text = (name: string) => ({ name, type: 'text', interface: 'textarea' });
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    await server.admin.request('collections:create', {
      ...{ name: 'numbers', title: 'Numbers', autoGenId: false, template: 'general' },
      fields: [id, { ...text('name'), type: 'string' }, text('phone')],
    });
  });

  const from = '+14155550100';

  interface Shown {
    shown: { who: string; recipient: string; outcome: string; reason: string }[];
  }

  /** Opens the preview of a batch over new rows with these numbers, and returns what it says of each. */
  async function preview(account: string, all: Spelling[]) {
    const rows: unknown[] = [];
    for (const { name, entered } of all) {
      const row = await server.admin.request('numbers:create', { name, phone: String(entered) });
      rows.push(Object(row).id);
    }
    const { key } = Object(
      await server.admin.request('telephonyRuns:preview', {
        ...{ account, action: 'send-sms', dataSource: 'main', collection: 'numbers', rows },
        input: { from: [from], to: [{ column: 'phone' }], body: [{ column: 'name' }] },
      }),
    );
    const { shown } = (await server.admin.request('telephonyRuns:list', { key })) as Shown;
    return shown.map(({ who, recipient, outcome, reason }) => [
      /^Spelling \d+\./.exec(who)?.[0],
      outcome === 'waiting' ? recipient : reason,
    ]);
  }

  test("a filter of NocoBase's own tables finds a number, however it is written", async () => {
    const written = [
      ...['+1 202 555 0145', '+1 (202) 555-0145', '+1.202.555.0145', '+12025550145'],
      ...['(202) 555-0145', '0012025550145', '+1 202 555 01450', '+44 2025550145', '', null],
      ...['+4930123456.0', '+4930 123456 (0)', '+49301234.00'],
    ];
    for (const [index, phone] of written.entries())
      await server.admin.request('numbers:create', { name: `Stored ${index}`, phone });
    const found = async (phone: unknown) => {
      const filter = { name: { $startsWith: 'Stored' }, phone: { $isPhoneNumber: phone } };
      const { data } = (await server.admin.read('main', 'numbers:list', {
        ...{ filter, sort: 'id', pageSize: 50 },
      })) as { data: { phone: string }[] };
      return data.map(({ phone: one }) => one);
    };
    expect(await found('+12025550145')).toEqual(written.slice(0, 4));
    expect(await found('+1 (202) 555 0145')).toEqual(written.slice(0, 4));
    const others = ['+12025550146', '+49301234560', '+4930123400'];
    for (const none of ['', '+1', 'x', ...others]) expect(await found(none)).toEqual([]);
  });

  describe.each(countries)('with the default country %j', (defaultCountry) => {
    const all = spellingsIn(defaultCountry);
    let account: string;
    beforeAll(async () => {
      const added = { ...settings, label: `In ${defaultCountry}`, defaultCountry };
      account = Object(await server.admin.request('telephonyAccounts:save', added)).key;
      await server.admin.untilLoaded(account);
    });

    test('a batch reads all spellings of numbers', async () => {
      expect(Object.fromEntries(await preview(account, all))).toEqual(sentBySpelling(all));
    });

    test('a field reads all spellings of numbers', async () => {
      const sent = await withEach(all, ({ name, entered }) =>
        sentParameter(sandbox.requests, 'To', () =>
          server.admin.request('telephonyActions:send-sms', {
            ...{ account, input: { from, to: entered, body: name } },
          }),
        ),
      );
      expect(sent).toEqual(sentBySpelling(all));
    });

    test('a filter asks for no other number', async () => {
      const asked = await withEach(all, ({ entered }) =>
        sentParameter(sandbox.requests, 'From', () =>
          server.admin.read(account, 'calls_by_caller_id:list', {
            filter: { from: { $eq: String(entered) } },
          }),
        ),
      );
      expect(asked).toEqual(askedBySpelling(all));
    });
  });
}
