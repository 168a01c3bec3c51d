import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type EventContext,
  type EventOutcome,
  type GivenReply,
  receiveEvents,
  TelephonyError,
  type TelephonySettings,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, signedForm } from './signed.ts';

const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`;
const call = parametersOf('call-received');
const sms = parametersOf('sms-received');

interface Answered {
  body: string;
  /** Why the reply was not sent. */
  sentences: string[];
  /** What the app learned when it had the reply checked. */
  checked: string | undefined;
}

/** The service's response to a reply. */
async function answerTo(
  parameters: Record<string, string>,
  reply: unknown,
  settings: TelephonySettings = account,
): Promise<Answered> {
  const sentences: string[] = [];
  let checked: string | undefined;
  const check = ({ checkReply }: EventContext) => {
    try {
      checkReply(reply as GivenReply);
    } catch (error) {
      checked = error instanceof TelephonyError ? error.message : String(error);
    }
  };
  const receive = receiveEvents(settings, {
    url: address,
    onEvent: (_, context) => {
      check(context);
      // Apps in a builder have no type checks.
      return reply as GivenReply;
    },
    onOutcome: (report: EventOutcome) => {
      if (report.outcome === 'reply-not-sent') sentences.push(report.message);
    },
  });
  const { body } = await receive(signedForm(parameters));
  return { body, sentences, checked };
}

/** The TwiML that the service's official client writes for the same instructions. */
const official: { calls: { reply: GivenReply; body: string }[] } = JSON.parse(
  readFileSync(resolve(__dirname, 'official/calls.json'), 'utf8'),
);

test.each(official.calls)(
  'writes the reply to a call as the official client does: %j',
  async ({ reply, body }) => {
    expect(await answerTo(call, reply)).toEqual({ body, sentences: [], checked: undefined });
  },
);

test.each<[what: string, parameters: Record<string, string>, reply: unknown, content: string]>([
  [
    'a text fills in the first field of the first form',
    call,
    'Hello',
    '<Response><Say>Hello</Say></Response>',
  ],
  [
    'the form of an SMS is filled in',
    sms,
    { form: 'reply', input: { text: 'Hi' } },
    '<Response><Message>Hi</Message></Response>',
  ],
  [
    'fields that are left empty are not sent',
    call,
    { form: 'reply-record', input: { say: ' ', language: '', maxLength: null } },
    `<Response><Record maxLength="120" recordingStatusCallback="${address}"/></Response>`,
  ],
  ['a call without a reply ends', call, undefined, '<Response/>'],
])('%s', async (_, parameters, reply, content) => {
  expect((await answerTo(parameters, reply)).body).toBe(xml(content));
});

test('completes a national number to which a call is forwarded', async () => {
  const reply = { form: 'reply-forward', input: { to: '(202) 555-0143' } };
  const { body } = await answerTo(call, reply, { ...account, defaultCountry: 'US' });
  expect(body).toContain('>+12025550143</Dial>');
});

const named = { call: '“Call received” (CA0123456789abcdef0123456789abcdef)' };
test.each<[what: string, parameters: Record<string, string>, reply: unknown, problem: string]>([
  [
    'a form of another event',
    call,
    { form: 'reply', input: { text: 'Hi' } },
    '“Call received” has no such reply. Use “Reply: Say” or “Reply: Forward” or “Reply: Record” or “Reply: Ask”.',
  ],
  [
    'a required field without a value',
    call,
    { form: 'reply-forward', input: { to: '' } },
    '"To" is missing: the number to forward the call to, with country code, such as +14155550123.',
  ],
  [
    'a number of seconds out of range',
    call,
    { form: 'reply-forward', input: { to: '+12025550143', timeout: 4 } },
    '"Ring for (seconds)" must be a whole number from 5 to 600.',
  ],
  [
    'a language without a text',
    call,
    { form: 'reply-record', input: { language: 'de-DE' } },
    '"Greeting" is needed with "Language": the text that is spoken before the tone, up to 3,000 characters.',
  ],
  [
    'an unknown field',
    call,
    { form: 'reply-say', input: { say: 'Hi', loudness: 11 } },
    'Reply: Say has no field "loudness". Its fields: say, language, voice.',
  ],
  [
    'a text that is too long once it is escaped',
    call,
    { form: 'reply-say', input: { say: '&'.repeat(761) } },
    '"Say" must be text of at most 3,800 characters (& counts as five, < and > as four).',
  ],
  [
    'instructions that are too long as a whole',
    call,
    { form: 'reply-say', input: { say: 'x'.repeat(3800), voice: '"'.repeat(100) } },
    'The reply is too long: it takes 4,441 characters of 4,000. Shorten its text.',
  ],
])('reports %s, and the call gets no reply', async (_, parameters, reply, problem) => {
  expect(await answerTo(parameters, reply)).toEqual({
    body: xml('<Response/>'),
    checked: problem,
    sentences: [`The reply to ${named.call} was not sent. ${problem}`],
  });
});

test.each([null, '', ' ', true, ['reply-say'], { sid: 'SM1' }])(
  'treats %j as no reply',
  async (reply) => {
    const { body, sentences } = await answerTo(call, reply);
    expect([body, sentences]).toEqual([xml('<Response/>'), []]);
  },
);

test.each([
  7,
  Number.NaN,
  7n,
  { form: 'reply-say' },
  { input: { say: 'Hi' } },
  { form: 7, input: {} },
  { form: 'reply-say', input: null },
])('reports %p instead of a reply, and sends none', async (reply) => {
  const problem = 'A reply must be a text, or an object with a form and its input.';
  expect(await answerTo(call, reply)).toEqual({
    body: xml('<Response/>'),
    checked: problem,
    sentences: [`The reply to ${named.call} was not sent. ${problem}`],
  });
});

test('ignores what a handler returns for an event without replies', async () => {
  const { body, sentences } = await answerTo(parametersOf('call-status'), 7);
  expect([body, sentences]).toEqual([xml('<Response/>'), []]);
});

test('a call that comes in and its status are delivered in any order, each once', async () => {
  const delivered: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ id, record }) => {
      delivered.push(`${id} ${record.status}`);
      return id === 'call-received' ? 'Hello' : undefined;
    },
  });
  const ended = { ...parametersOf('call-status') };
  for (const parameters of [ended, call, ended, call]) await receive(signedForm(parameters));
  expect(delivered).toEqual(['call-status completed', 'call-received ringing']);
});

test('the same request again gets the same reply while the first is in progress', async () => {
  let reply = (_: string) => {};
  const receive = receiveEvents(account, {
    url: address,
    onEvent: () => new Promise<string>((resolve) => (reply = resolve)),
  });
  const answers = [receive(signedForm(call)), receive(signedForm(call))];
  await new Promise(setImmediate);
  reply('Hello');
  const bodies = (await Promise.all(answers)).map(({ body }) => body);
  expect(bodies).toEqual(Array(2).fill(xml('<Response><Say>Hello</Say></Response>')));
});
