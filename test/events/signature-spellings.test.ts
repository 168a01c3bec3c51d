import { eventReader } from '../../src/index.ts';
import { fixtures } from './fixtures.ts';
import { account, signedForm } from './signed.ts';

// The service signs the address as it was entered or as it calls it: both have to fit what was entered here.

const [, { parameters } = { parameters: {} }] =
  fixtures.find(([id]) => id === 'sms-received') ?? [];

const outcome = (address: string, url: string) =>
  eventReader(account, { address })(signedForm(parameters, { url })).outcome;

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
])('refuses %s', (_, address, url) => {
  expect(outcome(address, url)).toBe('refused');
});
