import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventReader } from '../../src/builder.ts';
import { fixtures } from './fixtures.ts';
import { account, signedForm } from './signed.ts';

// The service signs the URL as entered at the service, or as it requests it. The URL entered here must match both.

const [, { parameters } = { parameters: {} }] =
  fixtures.find(([id]) => id === 'sms-received') ?? [];

const outcome = (address: string, url: string) =>
  eventReader(account, { url: address })(signedForm(parameters, { url })).outcome;

/** URLs that the official client's validator, `twilio` 6.2.0 on npm, accepts for a webhook URL. */
const official: Record<string, string[]> = JSON.parse(
  readFileSync(resolve(__dirname, 'official/spellings.json'), 'utf8'),
);

test.each(Object.entries(official))(
  'accepts for %s all URLs that the official validator accepts',
  (address, urls) => {
    const outcomes = urls.map((url) => [url, outcome(address, url)]);
    expect(outcomes).toEqual(urls.map((url) => [url, 'event']));
  },
);

test.each(Object.entries(official))(
  'accepts for %s a query that was re-encoded on its way',
  (address, urls) => {
    const [signedFor = ''] = urls;
    const read = eventReader(account, { url: address });
    const arrived = [address, signedFor, new URL(address).href, urls.at(-1)].map((url) => {
      const query = /\?.*/s.exec(url ?? '')?.[0] ?? '';
      return read({
        ...signedForm(parameters, { url: signedFor }),
        url: `/behind/a/proxy${query}`,
      });
    });
    expect(arrived.map(({ outcome }) => outcome)).toEqual(arrived.map(() => 'event'));
  },
);

test.each([
  ['an upper-case host', 'https://App.Example.com/e', 'https://App.Example.com/e'],
  ['an upper-case host with a port', 'https://App.Example.com/e', 'https://App.Example.com:443/e'],
  ['an upper-case host, in lower case', 'https://App.Example.com/e', 'https://app.example.com/e'],
  ['an IDN host', 'https://bücher.example/e', 'https://bücher.example/e'],
  ['an IDN host, encoded', 'https://bücher.example/e', 'https://xn--bcher-kva.example/e'],
  ['an umlaut in the query, encoded', 'https://a.test/e?x=ö', 'https://a.test/e?x=%C3%B6'],
  ['an encoded umlaut', 'https://a.test/e?x=%C3%B6', 'https://a.test/e?x=%C3%B6'],
  ['an apostrophe, encoded', "https://a.test/e?x='", 'https://a.test/e?x=%27'],
  ['an encoded apostrophe, as it is', 'https://a.test/e?x=%27', "https://a.test/e?x='"],
  ['a plus sign', 'https://a.test/e?x=a+b', 'https://a.test/e?x=a+b'],
  ['a plus sign, as a blank', 'https://a.test/e?x=a+b', 'https://a.test/e?x=a%20b'],
])('accepts %s', (_, address, url) => {
  expect(outcome(address, url)).toBe('event');
});

test.each([
  ['another host', 'https://app.example.com/e', 'https://other.example.com/e'],
  ['another value', 'https://a.test/e?x=ö', 'https://a.test/e?x=o'],
  ['another path', 'https://a.test/e', 'https://a.test/E'],
  ['one more value', 'https://a.test/e?x=1', 'https://a.test/e?x=1&y=2'],
  ['a missing value', 'https://a.test/e?x=1', 'https://a.test/e'],
  ['another order of different names', 'https://a.test/e?x=1&y=2', 'https://a.test/e?y=2&x=1'],
  ['an encoded separator', 'https://a.test/e?x=1&y=2', 'https://a.test/e?x=1%26y=2'],
  ['a blank for an encoded plus sign', 'https://a.test/e?x=%2B', 'https://a.test/e?x=%20'],
  ['a value encoded twice', 'https://a.test/e?x=%20', 'https://a.test/e?x=%2520'],
])('refuses %s', (_, address, url) => {
  expect(outcome(address, url)).toBe('refused');
});
