import {
  type Action,
  checkInput,
  cleanPhone,
  connect,
  fieldParts,
  filledIn,
  type HttpRequest,
  inEnglish,
  operation,
  planRow,
  withCountryCodes,
} from '../../src/builder.ts';
import {
  isFilterError,
  isSentNumber,
  type Spelling,
  spellings,
  uncertain,
} from '../support/phone-spellings.ts';
import { account } from './service.ts';

const sms = { from: 'ACME', to: '+12025550100', body: 'Hello' };
const sendSms = operation('send-sms') as Action;

/** An account whose service answers with the same record, and what it was asked. */
function accountIn(defaultCountry: string, calls: object[] = []) {
  const sent: HttpRequest[] = [];
  const answer = JSON.stringify({ sid: 'SM1', status: 'queued', calls });
  const telephony = connect({
    ...{ ...account, defaultCountry },
    async http(request) {
      sent.push(request);
      const body = (async function* () {
        yield Buffer.from(answer);
      })();
      return { status: request.method === 'POST' ? 201 : 200, headers: {}, body };
    },
  });
  const valuesOf = (name: string) =>
    sent.map(({ url, body }) => new URLSearchParams(body ?? new URL(url).search).get(name));
  return { telephony, valuesOf };
}

type Entered = Omit<Spelling, 'name'>;

/** Returns what a path makes of a spelling. */
type Path = (spelling: Entered) => unknown;

/** The row of a batch, as builders plan it. */
function planned(country: string, input: () => Record<string, unknown>) {
  const item = planRow(sendSms, {
    ...{ row: ['people', 1], name: 'Ada', filled: ['to'] },
    input: () => withCountryCodes(sendSms, input(), country),
  });
  if (!item.values) throw new Error(inEnglish(item.message ?? ''));
  return item.values.to;
}

/** Runs Send SMS, and returns what arrives at the service in a field. */
const sentBy =
  (name: 'From' | 'To'): Path =>
  async ({ country, entered }) => {
    const { telephony, valuesOf } = accountIn(country);
    await telephony.run('send-sms', { ...sms, [name.toLowerCase()]: entered as string });
    return valuesOf(name).join();
  };

const paths: Record<string, Path> = {
  'a recipient': sentBy('To'),
  'a sender': sentBy('From'),
  async 'a row of runBatch'({ country, entered }) {
    const { telephony, valuesOf } = accountIn(country);
    const errors: unknown[] = [];
    await telephony.runBatch('send-sms', [{ input: { ...sms, to: entered as string } }], {
      onResult(_, result) {
        if ('error' in result) errors.push(result.error);
      },
    });
    if (errors.length > 0) throw errors[0];
    return valuesOf('To').join();
  },
  'an item, as in n8n, Budibase and ToolJet': ({ country, entered }) =>
    checkInput(sendSms, { ...sms, to: entered }, accountIn(country).telephony.cleanPhone).to,
  'a row, as in Node-RED': ({ country, entered }) =>
    planned(country, () => ({ ...sms, to: entered })),
  'a column of a table, as in Saltcorn and NocoBase': ({ country, entered }) =>
    planned(country, () => {
      const parts = { from: ['ACME'], body: ['Hello'], to: [{ column: 'phone' }] };
      return filledIn(fieldParts(sendSms, parts), { phone: entered });
    }),
};

/** The sentence of a number that isn't certain, which shows it as it was entered. */
function errorOf(label: string, { entered, expected }: Entered) {
  const shown = `${entered}`.replace('\n', ' ');
  const isQuoted = !expected.startsWith('. ') && expected !== uncertain.code;
  return `"${label}" is ${isQuoted ? `“${shown}”` : shown}${expected}`;
}

async function outcomesOf(path: Path, given = spellings) {
  const outcomes: [Entered, outcome: unknown][] = [];
  for (const one of given)
    outcomes.push([
      one,
      await Promise.resolve(one)
        .then(path)
        .catch(({ message }) => message),
    ]);
  return outcomes;
}

test.each(Object.entries(paths))('reads all spellings in %s', async (name, path) => {
  const label = name === 'a sender' ? 'From' : 'To';
  expect(await outcomesOf(path)).toEqual(
    spellings.map((one) => [one, isSentNumber(one.expected) ? one.expected : errorOf(label, one)]),
  );
});

test('reads all spellings in a filter, and finds no one else', async () => {
  const path: Path = async ({ country, entered, expected }) => {
    const number = isSentNumber(expected) ? expected : `+${`${entered}`.replace(/\D/g, '')}`;
    const froms = [
      `${number}0`,
      number.slice(0, -1),
      ...(isSentNumber(expected) ? [expected] : []),
    ];
    const calls = froms.map((from, index) => ({ sid: `CA${index}`, from }));
    const { telephony, valuesOf } = accountIn(country, calls);
    const { records } = await telephony.run('calls-by-caller-id', { from: `${entered}` });
    return { asked: valuesOf('From'), found: records.map(({ from }) => from) };
  };
  expect(await outcomesOf(path)).toEqual(
    spellings.map((one) => {
      const { entered, expected } = one;
      if (isFilterError(expected)) return [one, errorOf('From', one)];
      return isSentNumber(expected)
        ? [one, { asked: [expected], found: [expected] }]
        : [one, { asked: [`${entered}`], found: [] }];
    }),
  );
});

test('a cleaned number stays as it is', () => {
  const cleaned = spellings.map(({ expected }) => expected).filter(isSentNumber);
  expect(cleaned.map(cleanPhone)).toEqual(cleaned);
});

test.each(['n/a', '#NUM!', 'Ada', '—', 'ACME 2'])(
  'a name such as %j receives nothing',
  (entered) => {
    const message = errorOf('To', { country: '', entered, expected: uncertain.several });
    expect(() => checkInput(sendSms, { ...sms, to: entered })).toThrow(
      expect.objectContaining({ code: 'input', field: 'to', message }),
    );
  },
);

test('the table has at least 60 spellings of 15 countries', () => {
  const countries = new Set(spellings.map(({ country }) => country).filter(Boolean));
  expect([spellings.length >= 60, countries.size >= 15]).toEqual([true, true]);
});
