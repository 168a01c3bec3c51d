import { readFileSync } from 'node:fs';
import { definitions, operation } from '../../src/builder.ts';
import { openWithRequests, takeRequests } from './requests.ts';
import { described, runTool, tools } from './tools.ts';

type Paths = Record<string, Record<string, { operationId: string }>>;

/** The parameters in a path, by the names in its template. */
function pathParameters(template: string, path: string) {
  const names = template.split('/');
  const values = path.split('/');
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const [, key] = name.match(/\{(\w+)\}/) ?? [];
      return key ? [[key, values[index]?.replace('.json', '')]] : [];
    }),
  );
}

/** The value of each parameter, or its values. */
function valuesOf(pairs: [name: string, value: string][] = []) {
  const all = new Map<string, string | string[]>();
  for (const [name, value] of pairs)
    all.set(name, all.has(name) ? [all.get(name) ?? [], value].flat() : value);
  return Object.fromEntries(all);
}

test.each(['openapi-3.1.json', 'openapi-3.0.json', 'apiDefinition.swagger.json'])(
  "Lowcoder's client sends the requests of the library by %s",
  async (file) => {
    const { paths }: { paths: Paths } = JSON.parse(readFileSync(described(file), 'utf8'));
    const { sandbox, requests, ids, settings } = await openWithRequests();
    const calls = ids.map((id, index) => {
      const { method, path, host } = operation(id).request;
      const template = (host ? '' : definitions.settings.accountPath) + path;
      const request = requests[index];
      return {
        operationId: paths[template]?.[method.toLowerCase()]?.operationId,
        parameters: {
          ...pathParameters(template, request?.path ?? ''),
          ...valuesOf(request?.query),
        },
        ...(request?.body.length && { form: valuesOf(request.body) }),
      };
    });
    const { baseUrl, username, password } = settings;
    const authorized = { account: { username, password } };
    const sent = JSON.stringify({ baseUrl, authorized, calls });
    await runTool(tools, 'execute.mjs', described(file), sent);
    expect(takeRequests(sandbox)).toEqual(requests);
  },
);
