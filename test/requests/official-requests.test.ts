import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, definitions } from '../../src/builder.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

interface OfficialRequest {
  id: string;
  input: object;
  statusCallback?: string;
  request: { method: string; path: string; form: [name: string, value: string][] };
}

/** Requests of the service's official client, `twilio` 6.2.0 on npm. */
const official: OfficialRequest[] = JSON.parse(
  readFileSync(resolve(__dirname, 'official/actions.json'), 'utf8'),
);

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

test.each(official)(
  'sends the request of the official client: $id with $input',
  async ({ id, input, statusCallback, request }) => {
    const sent = answerWith([{ status: 201, body: { sid: 'CA1' } }]);
    await connect({ ...account, statusCallback }).run(id, input);
    const { method, path, form } = request;
    expect(
      sent.map((one) => ({ ...one, headers: {}, body: sortedForm(new URLSearchParams(one.body)) })),
    ).toEqual([{ method, path, headers: {}, body: sortedForm(form) }]);
  },
);
