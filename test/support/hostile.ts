import type { Page } from 'playwright-core';

/** Texts that try to run `hostile()`, or to leave something in the page that is named `data-hostile`. */
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
 * Puts such a text in every field of records, in another one from record to record.
 *
 * @param records what the service answers
 * @param spared the fields that stay as they are
 */
export function makeHostile(records: object[], spared: string[] = []) {
  for (const [index, record] of records.entries())
    for (const [at, key] of Object.keys(record).entries())
      if (!spared.includes(key))
        Object.assign(record, { [key]: payloads[(index + at) % payloads.length] });
}

/**
 * A function that finds the elements of a document that are markup or would run code without being meant so, as HTML. Runs the
 * code of every attribute in a world where all is there and nothing happens, and at once what would run later.
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
  /** What ran until now, in any page. */
  ran: string[];
  /** What is in the page that is shown and would run, or is markup, without being meant so. */
  found(): Promise<string[]>;
}

/** Watches a page from now on for code of such texts that runs or would run. */
export async function watchForHostility(page: Page): Promise<HostilityWatch> {
  const ran: string[] = [];
  await page.exposeFunction('hostile', () => ran.push(page.url()));
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    dialog.dismiss().catch(() => {});
  });
  return { ran, found: () => page.evaluate<string[]>(`${inspection}(document)`) };
}
