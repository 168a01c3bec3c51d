import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, type GivenReply, receiveEvents } from '../../src/builder.ts';
import { answerWith, account as caller, isolate } from '../requests/service.ts';
import { parametersOf } from './fixtures.ts';
import { parseXml } from './parse-xml.ts';
import { account, address, signedForm } from './signed.ts';

isolate();

/** The instructions that the service's official client, `twilio` 6.2.0 on npm, writes for a text. */
interface Official {
  what: string;
  text: string;
  /** What a parser must find, if XML can't contain the text. The official client then writes this instead. */
  read?: string;
  say: string;
  record: string;
  ask: string;
  message: string;
}

const hostile: Official[] = JSON.parse(
  readFileSync(resolve(__dirname, 'official/hostile.json'), 'utf8'),
);

/** The TwiML of a reply. */
async function replyTo(event: string, reply: GivenReply): Promise<string> {
  const receive = receiveEvents(account, { url: address, onEvent: () => reply });
  return (await receive(signedForm(parametersOf(event)))).body;
}

/** The TwiML that Make a Call sends. */
async function twimlOfCall(say: string): Promise<string> {
  const sent = answerWith([{ status: 201, body: { sid: 'CA1' } }]);
  await connect(caller).run('make-a-call', { from: '+14155550100', to: '+12025550143', say });
  return new URLSearchParams(sent[0]?.body).get('Twiml') ?? '';
}

const element = (name: string, text: string, attributes = {}) => ({
  ...{ name, text, attributes, children: [] },
});
const response = (...children: object[]) => ({
  ...{ name: 'Response', attributes: {}, text: '', children },
});
const asking = { actionOnEmptyResult: 'true', action: `${address}?Question=1` };
const recorded = { maxLength: '120', recordingStatusCallback: address };

describe.each(hostile)('$what', ({ text, read = text, ...official }) => {
  test('are spoken to a caller as the official client has them spoken', async () => {
    const body = await replyTo('call-received', { form: 'reply-say', input: { say: text } });
    expect(body).toBe(official.say);
    expect(parseXml(body)).toEqual(response(element('Say', read)));
  });

  test('are spoken before a recording as the official client has them spoken', async () => {
    const body = await replyTo('call-received', { form: 'reply-record', input: { say: text } });
    expect(body).toBe(official.record);
    expect(parseXml(body)).toEqual(response(element('Say', read), element('Record', '', recorded)));
  });

  test('are asked as the official client has them asked', async () => {
    const body = await replyTo('call-received', { form: 'reply-ask', input: { say: text } });
    expect(body).toBe(official.ask);
    const gather = { ...element('Gather', '', asking), children: [element('Say', read)] };
    expect(parseXml(body)).toEqual(response(gather));
  });

  test('are replied to an SMS as the official client replies them', async () => {
    const body = await replyTo('sms-received', text);
    expect(body).toBe(official.message);
    expect(parseXml(body)).toEqual(response(element('Message', read)));
  });
});

// Make a Call refuses halves of characters.
test.each(hostile.filter(({ text }) => text.isWellFormed()))(
  '$what are spoken in a call as the official client has them spoken',
  async ({ text, read = text, say }) => {
    const body = await twimlOfCall(text);
    expect(`<?xml version="1.0" encoding="UTF-8"?>${body}`).toBe(say);
    expect(parseXml(body)).toEqual(response(element('Say', read)));
  },
);

test.each<[form: 'reply-say' | 'reply-record', length: number]>([
  ['reply-say', 3800],
  ['reply-record', 3000],
])('the longest text of %s arrives whole', async (form, length) => {
  const say = 'ü'.repeat(length);
  const [spoken] = parseXml(await replyTo('call-received', { form, input: { say } })).children;
  expect(spoken).toEqual(element('Say', say));
});

test('the longest text of a call arrives whole', async () => {
  const say = 'ü'.repeat(3800);
  expect(parseXml(await twimlOfCall(say))).toEqual(response(element('Say', say)));
});

test('a text of 4,096 characters is refused, and no call is placed', async () => {
  const sent = answerWith([]);
  const input = { from: '+14155550100', to: '+12025550143', say: 'x'.repeat(4096) };
  await expect(connect(caller).run('make-a-call', input)).rejects.toMatchObject({
    ...{ code: 'input', field: 'say' },
    message: expect.stringContaining('must be text of at most 3,800 characters'),
  });
  expect(sent).toEqual([]);
});

test.each([
  ['markup and quotes', `Polly."Joanna" <b> & 'x'`],
  ['emoji', 'Polly.🙂'],
])('a voice with %s stays an attribute', async (_, voice) => {
  const reply: GivenReply = { form: 'reply-say', input: { say: 'Hi', voice } };
  expect(parseXml(await replyTo('call-received', reply))).toEqual(
    response(element('Say', 'Hi', { voice })),
  );
});

test('a call is forwarded with each attribute as it was entered', async () => {
  const input = { to: '+1 (202) 555-0143', timeout: 20, callerId: '+14155550100' };
  expect(parseXml(await replyTo('call-received', { form: 'reply-forward', input }))).toEqual(
    response(
      element('Dial', '+12025550143', {
        ...{ answerOnBridge: 'true', timeout: '20', callerId: '+14155550100' },
        action: `${address}?Question=1`,
      }),
    ),
  );
});
