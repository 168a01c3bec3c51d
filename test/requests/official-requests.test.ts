import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, definitions } from '../../src/builder.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

type Parameters = [name: string, value: string][];

interface OfficialRequest {
  id: string;
  input: object;
}

interface OfficialAction extends OfficialRequest {
  statusCallback?: string;
  request: { method: string; path: string; form: Parameters };
}

interface OfficialRead extends OfficialRequest {
  request: { method: string; path: string; query: Parameters };
}

/** Requests of the service's official client, `twilio` 6.2.0 on npm. */
const read = (file: string) => JSON.parse(readFileSync(resolve(__dirname, file), 'utf8'));
const official: OfficialAction[] = read('official/actions.json');
const officialReads: OfficialRead[] = read('official/data-sources.json');

/** The parameters of a form, sorted by name, because their order means nothing. The service needs no XML declaration. */
const sortedForm = (form: Iterable<[string, string]>) =>
  [...form]
    .map(([name, value]) => [name, value.replace(/^<\?xml [^>]*>/, '')] as const)
    .sort(([one], [other]) => (one < other ? -1 : Number(one > other)));

test('every action is compared with the official client', () => {
  expect([...new Set(official.map(({ id }) => id))].sort()).toEqual(
    definitions.actions.map(({ id }) => id).sort(),
  );
});

// The official client can't filter recordings by their caller.
const ownReads = ['recordings-by-caller-id'];

test('every other data source is compared with the official client', () => {
  expect([...new Set([...officialReads.map(({ id }) => id), ...ownReads])].sort()).toEqual(
    definitions.dataSources.map(({ id }) => id).sort(),
  );
});

test.each(officialReads)(
  'reads with the request of the official client: $id with $input',
  async ({ id, input, request }) => {
    const lists = [
      'calls',
      'recordings',
      'messages',
      'media_list',
      'incoming_phone_numbers',
      'usage_records',
      'transcriptions',
      'contents',
    ];
    const body = Object.fromEntries([
      ['sid', 'CA1'],
      ['account_sid', 'AC1'],
      ['phone_number', '+14159929960'],
      ...lists.map((list) => [list, []]),
    ]);
    const sent = answerWith([{ status: 200, body }]);
    await connect(account).run(id, input);
    const { method, path, query } = request;
    const requests = sent.map((one) => {
      const url = new URL(one.path, account.baseUrl);
      const parameters = sortedForm(url.searchParams);
      // The official client leaves a plus sign in a path as it is.
      const pathname = decodeURIComponent(url.pathname);
      return { method: one.method, path: pathname, query: parameters, body: one.body };
    });
    expect(requests).toEqual([{ method, path, query: sortedForm(query), body: '' }]);
  },
);

test.each(official)(
  'sends the request of the official client: $id with $input',
  async ({ id, input, statusCallback, request }) => {
    const isDeleted = request.method === 'DELETE';
    const sent = answerWith([
      isDeleted ? { status: 204, body: '' } : { status: 201, body: { sid: 'CA1' } },
    ]);
    await connect({ ...account, statusCallback }).run(id, input);
    const { method, path, form } = request;
    expect(
      sent.map((one) => ({ ...one, headers: {}, body: sortedForm(new URLSearchParams(one.body)) })),
    ).toEqual([{ method, path, headers: {}, body: sortedForm(form) }]);
  },
);
