import { connect, phoneCleaner, phoneSpellings } from '../../src/builder.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

/** Whether a filter by a number finds a call from another one. */
async function finds(from: string, found: string, defaultCountry = ''): Promise<boolean> {
  answerWith([{ status: 200, body: { calls: [{ sid: 'CA1', from: found }] } }]);
  const calls = connect({ ...account, defaultCountry }).run('calls-by-caller-id', { from });
  return (await calls).records.length === 1;
}

type Case = [requested: string, found: string, isSame: boolean];

const numbers: Case[] = [
  ['+12025550143', '+12025550143', true],
  ['+1 (202) 555-0143', '+12025550143', true],
  ['+12025550143', '1 (202) 555-0143', true],
  ['+12025550143', '12025550143', true],
  ['+12025550143', '+12025550144', false],
  // A number without its country code is another number, even if its digits match.
  ['12025550143', '+12025550143', false],
  ['2025550143', '+12025550143', false],
  ['02025550143', '+12025550143', false],
  ['25550143', '+12025550143', false],
  ['0', '+12025550143', false],
  ['+2025550143', '+12025550143', false],
  ['+12025550143', '2025550143', false],
  ['(202) 555-0143', '+12025550143', false],
  ['(202) 555-0143', '2025550143', true],
  // Short codes, names and addresses.
  ['50143', '+12025550143', false],
  ['501-43', '50143', true],
  ['Client:Alice', 'client:alice', true],
  ['client:alice', 'client:bob', false],
  ['x', 'x+', false],
  ['+x', 'x', false],
  ['A-1', 'A1', false],
  ['A 1', 'a 1', true],
  ['sip:+1202@a.example', 'SIP:+1202@A.example', true],
  ['whatsapp:+12025550143', 'whatsapp:+12025550143', true],
  ['whatsapp:+12025550143', '+12025550143', false],
];

test.each(numbers)('without a default country, %j matches %j: %s', async (...row) => {
  const [requested, found, isSame] = row;
  expect(await finds(requested, found)).toBe(isSame);
});

const american: Case[] = [
  ['+12025550143', '+12025550143', true],
  ['12025550143', '+12025550143', true],
  ['(202) 555-0143', '+12025550143', true],
  ['0012025550143', '+12025550143', true],
  ['01112025550143', '+12025550143', true],
  ['+12025550143', '(202) 555-0143', true],
  ['2025550143', '+912025550143', false],
  ['25550143', '+12025550143', false],
  ['5550143', '+12025550143', false],
  ['50143', '+12025550143', false],
  ['50143', '50143', true],
];

test.each(american)(
  'with the default country US, %j matches %j: %s',
  async (requested, found, isSame) => {
    expect(await finds(requested, found, 'US')).toBe(isSame);
  },
);

const spelled: [entered: string, country: string | undefined, spellings: string[]][] = [
  ['+1 (202) 555-0143', undefined, ['+12025550143']],
  [
    ...(['(202) 555-0143', 'US'] as const),
    ['+12025550143', '0012025550143', '12025550143', '2025550143'],
  ],
  ['+4930123456', 'DE', ['+4930123456', '004930123456', '4930123456', '30123456', '030123456']],
  ['(202) 555-0143', undefined, []],
  ['50143', 'US', []],
  ['+', 'US', []],
  ['', 'US', []],
  ['client:alice', 'US', []],
];
test.each(spelled)(
  '%j with the default country %s is stored as one of %j',
  (entered, country, all) => {
    expect(phoneSpellings(entered, phoneCleaner(country))).toEqual(all);
  },
);
