import { definitions, isAction, type Operation, operations } from '../../../src/builder.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns an example of an operation's values: those of its required fields. */
const exampleOf = ({ fields }: Operation) =>
  fields
    .filter(({ required }) => required)
    .map(({ key, placeholder, default: usual }) => [key, String(usual ?? placeholder ?? '…')]);

/** Returns how to call an operation with curl. */
export function curlOf(one: Operation, url = '$GATEWAY'): string {
  const key = '-H "Authorization: Bearer $KEY"';
  const values = exampleOf(one);
  if (!isAction(one)) {
    const query = values.map(
      ([name = '', value = '']) => ` \\\n  --data-urlencode '${name}=${value}'`,
    );
    return `curl -G ${url}/v1/data-sources/${one.id} ${key}${query.join('')}`;
  }
  return [
    `curl ${url}/v1/actions/${one.id} ${key}`,
    `  -H "Idempotency-Key: $(uuidgen)" -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify(Object.fromEntries(values))}'`,
  ].join(' \\\n');
}

const section = (one: Operation) => `<section id="${one.id}">
<h3>${escaped(one.name)}</h3><p>${escaped(one.description)}</p>
<pre>${escaped(curlOf(one))}</pre>
<details><summary>Fields</summary><table>${one.fields
  .map(
    ({ key, label, help = '', required }) =>
      `<tr><td><code>${key}</code>${required ? ' *' : ''}</td><td>${escaped(help || label)}</td></tr>`,
  )
  .join('')}</table></details></section>`;

const partOf = (title: string, all: readonly Operation[]) =>
  `<h2>${title}</h2>${all.map(section).join('\n')}`;

const { manifest } = definitions;

/** The page that shows how to call the gateway. It has no scripts and needs no key. */
export const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(manifest.name)} gateway</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  pre { padding: 1rem; overflow-x: auto; background: #8882; border-radius: 4px }
  td { padding: .2rem .8rem .2rem 0; vertical-align: top }
</style>
<h1>${escaped(manifest.name)} gateway</h1>
<p>${escaped(manifest.description)}</p>
<p>Each request needs an API key, which <code>telephony-gateway keys add</code> creates. Each action also needs an
<code>Idempotency-Key</code>: repeat a request with the same key as often as you like, and it is sent once.</p>
<p>The whole description: <a href="/openapi.json">/openapi.json</a></p>
${partOf('Actions', operations.filter(isAction))}
${partOf(
  'Data sources',
  operations.filter((one) => !isAction(one)),
)}
</html>
`;
