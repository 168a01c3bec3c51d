import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapi } from '../../plugin/gateway/http/openapi.ts';
import { isAction, isList, operations } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { act, openServer, sendPath, smsTo } from './open-gateway.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...openapi });
const schemaAt = (pointer: string) => ajv.compile({ $ref: `openapi#${pointer}` });

test('every operation has a path, and every reference leads somewhere', () => {
  const paths = operations.map(
    (one) => `/v1/${isAction(one) ? 'actions' : 'data-sources'}/${one.id}`,
  );
  expect(Object.keys(openapi.paths)).toEqual(expect.arrayContaining(paths));
  const refs = [...JSON.stringify(openapi).matchAll(/"\$ref":"#([^"]+)"/g)];
  expect(refs.length).toBeGreaterThan(operations.length);
  for (const [, pointer = ''] of refs) expect(() => schemaAt(pointer)).not.toThrow();
});

test('lists, records and problems are as it describes them', async () => {
  const { username, password, url: baseUrl, hosts } = await openSandbox();
  const { call } = await openServer({ account: { username, password, baseUrl, ...hosts } });
  const answers: [pointer: string, body: unknown][] = [];
  for (const one of operations.filter(isList)) {
    const filters = one.fields.filter(
      ({ required, purpose }) => !required && purpose !== 'page-size',
    );
    if (one.fields.some(({ required }) => required)) continue;
    const query = new URLSearchParams(Object.fromEntries(filters.map(({ key }) => [key, '*'])));
    const { status, body } = await call(`/v1/data-sources/${one.id}?${query}`);
    expect([one.id, status]).toEqual([one.id, 200]);
    for (const record of body.records)
      answers.push([`/components/schemas/${one.result.of}`, record]);
  }
  const sent = await act(call, sendPath, smsTo('+12025550110'));
  answers.push(['/components/schemas/message', sent.body]);
  const refused = await act(call, sendPath, smsTo('no number'));
  answers.push(['/components/schemas/problem', refused.body]);
  for (const [pointer, body] of answers) {
    const validate = schemaAt(pointer);
    expect([pointer, validate(body), validate.errors]).toEqual([pointer, true, null]);
  }
  expect(answers.length).toBeGreaterThan(100);
});
