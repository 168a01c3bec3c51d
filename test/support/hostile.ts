import type { Page } from 'playwright-core';

/** Texts that try to run `hostile()`, or to add an element with `data-hostile` to the page. */
export const payloads = [
  '<img data-hostile src=x onerror=hostile()>',
  '"><script data-hostile>hostile()</script>',
  `'"></title></textarea></option></select></script><svg data-hostile onload=hostile()>`,
  `' data-hostile onfocus=hostile() autofocus x='`,
  '" data-hostile onmouseover=hostile() x="',
  `'-hostile()-'`,
  '\\u0027-hostile()-\\u0027\\',
  'javascript:hostile()',
  '{{ hostile() }} {{! 6*7 }} #{hostile()} <%= hostile() %> %s',
  `\${hostile()}`,
  '<!--SCPT:{{ 6*7 }}--><a data-hostile href="javascript:hostile()">42</a>',
];

/**
 * Puts such a text into every field of records, another one in each record.
 *
 * @param records the service's records
 * @param spared fields that stay unchanged
 */
export function makeHostile(records: object[], spared: string[] = []) {
  for (const [index, record] of records.entries())
    for (const [at, key] of Object.keys(record).entries())
      if (!spared.includes(key))
        Object.assign(record, { [key]: payloads[(index + at) % payloads.length] });
}

/**
 * Source of a function that returns the HTML of all elements of a document that came from such a text, or would run its code.
 * It runs the code of every attribute in a sandbox without effects, and callbacks at once.
 */
export const inspection = `((document) => {
  const found = [];
  const anything = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : anything),
    set: () => true,
    apply: (_, __, values) => {
      for (const value of values) if (typeof value === 'function' && value !== anything) value();
      return anything;
    },
  });
  const worldOf = (element) => new Proxy({}, {
    has: () => true,
    get: (_, key) =>
      key === Symbol.unscopables ? undefined : key === 'hostile' ? () => found.push(element.outerHTML) : anything,
  });
  const isCode = ({ name, value }) =>
    name.startsWith('on') || (/^(href|src|action|formaction|data)$/.test(name) && /^\\s*javascript:/i.test(value));
  for (const element of document.querySelectorAll('*')) {
    if (element.hasAttribute('data-hostile')) found.push(element.outerHTML);
    for (const { value } of [...element.attributes].filter(isCode))
      new Function('world', 'with (world) {' + value.replace(/^\\s*javascript:/i, '') + '}')(worldOf(element));
  }
  return found;
})`;

export interface HostilityWatch {
  /** Where hostile code has run, in any page. */
  ran: string[];
  /** The HTML of elements in the current page that came from hostile texts, or would run their code. */
  found(): Promise<string[]>;
}

/** Watches a page from now on for hostile code. */
export async function watchForHostility(page: Page): Promise<HostilityWatch> {
  const ran: string[] = [];
  await page.exposeFunction('hostile', () => ran.push(page.url()));
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    dialog.dismiss().catch(() => {});
  });
  return { ran, found: () => page.evaluate<string[]>(`${inspection}(document)`) };
}
