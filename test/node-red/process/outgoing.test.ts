import {
  type Outgoing,
  outgoing,
  outgoingMessage,
} from '../../../plugin/node-red/node/outgoing.ts';
import { tryResult } from '../../../plugin/node-red/node/result-property.ts';
import { type Operation, operation } from '../../../src/builder.ts';
import { needs, skipWithout } from '../../support/needs.ts';

skipWithout(needs.nodeRed);

/** Node-RED's own message functions, without a running Node-RED. */
const RED = { util: needs.nodeRed.path && require('@node-red/util').util, settings: {} };
// biome-ignore lint/suspicious/noExplicitAny: only the parts of Node-RED and of an account that messages are made with
const parts = (property: unknown, servesMedia = false): [RED: any, config: any, account: any] => [
  RED,
  { id: 'node', type: 'telephony', property },
  { id: 'account', servesMedia },
];

const sms = operation('send-sms');
const calls = operation('calls-by-caller-id');
const recordings = operation('recordings-by-caller-id');
const part = { id: 'p1', type: 'array' as const, index: 0, len: 2 };
const [one, two] = [{ sid: 'SM1' }, { sid: 'SM2' }];
const sound = { sid: 'RE1', status: 'completed' };

interface Case {
  name: string;
  of: Operation;
  came: object;
  answer: Outgoing;
  property?: unknown;
  servesMedia?: boolean;
  goesOn: object;
}

const cases: Case[] = [
  {
    name: 'puts a record into the payload',
    ...{ of: sms, came: { topic: 'kept', payload: 'replaced' }, answer: { records: [one] } },
    goesOn: { topic: 'kept', payload: one },
  },
  {
    name: 'puts a list into the payload and sets msg.more',
    ...{ of: calls, came: {}, answer: { records: [one, two], more: true } },
    goesOn: { payload: [one, two], more: true },
  },
  {
    name: 'sets msg.more to false if there are no more records',
    ...{ of: calls, came: { more: true }, answer: { records: [], more: false } },
    goesOn: { payload: [], more: false },
  },
  {
    name: 'says in msg.hint why a list is empty',
    ...{ of: calls, came: {}, answer: { records: [], more: false, hint: 'Nothing found.' } },
    goesOn: { payload: [], more: false, hint: 'Nothing found.' },
  },
  {
    name: 'removes the hint of an earlier list',
    ...{ of: calls, came: { hint: 'Nothing found.' }, answer: { records: [one], more: false } },
    goesOn: { payload: [one], more: false },
  },
  {
    name: 'keeps the incoming msg.hint if the result is not a list',
    ...{ of: sms, came: { hint: 'mine' }, answer: { records: [one] } },
    goesOn: { hint: 'mine', payload: one },
  },
  {
    name: 'puts the position of a page into msg.parts',
    ...{ of: calls, came: {}, answer: { records: [one], more: true, parts: part } },
    goesOn: { payload: [one], more: true, parts: part },
  },
  {
    name: 'nests the incoming msg.parts in that of a page',
    ...{ of: calls, came: { parts: { id: 'p0' } }, answer: { records: [one], parts: part } },
    goesOn: { payload: [one], parts: { ...part, parts: { id: 'p0' } } },
  },
  {
    name: 'keeps the incoming msg.parts if the result is not a page',
    ...{ of: sms, came: { parts: { id: 'p0' } }, answer: { records: [one] } },
    goesOn: { parts: { id: 'p0' }, payload: one },
  },
  ...['', '  ', undefined, null, ' payload '].map((property) => ({
    name: `puts the result into the payload if the property is ${JSON.stringify(property)}`,
    ...{ of: sms, property, came: { payload: 'replaced' }, answer: { records: [one] } },
    goesOn: { payload: one },
  })),
  {
    name: 'puts the result into another property and keeps the payload',
    ...{ of: sms, property: ' sent.sms ', came: { payload: 'kept' }, answer: { records: [one] } },
    goesOn: { payload: 'kept', sent: { sms: one } },
  },
  {
    name: 'puts the result into a property of the payload',
    ...{ of: calls, property: 'payload.calls', came: { payload: { id: 1 } } },
    answer: { records: [one], more: false },
    goesOn: { payload: { id: 1, calls: [one] }, more: false },
  },
  {
    name: 'adds the audio URL of a recording if the account serves audio',
    ...{ of: recordings, came: {}, answer: { records: [sound] }, servesMedia: true },
    goesOn: { payload: [{ ...sound, media: '/telephony/media/account/recording/RE1' }] },
  },
  {
    name: 'adds no audio URL if the account serves no audio',
    ...{ of: recordings, came: {}, answer: { records: [sound] } },
    goesOn: { payload: [sound] },
  },
];

test.each(cases)('$name', ({ of, came, answer, property, servesMedia, goesOn }) => {
  const before = structuredClone(came);
  const [red, config, account] = parts(property, servesMedia);
  tryResult(red, config, came);
  expect(came).toEqual(before);
  expect(outgoingMessage(red, of, config, account, came, answer)).toStrictEqual(goesOn);
  expect(came).toEqual(before);
});

test('wraps a single record in a list and keeps a list as it is', () => {
  expect(outgoing(one)).toEqual({ records: [one] });
  const page = { records: [one, two], more: true };
  expect(outgoing(page)).toEqual(page);
});

test.each(['payload.sent', 'a..b', '['])('refuses an unusable property: %s', (property) => {
  const came = { payload: 'a text' };
  const [red, config, account] = parts(property);
  const sentence = `The result cannot be stored in msg.${property}. Choose another property in the node.`;
  const tries = [
    () => tryResult(red, config, came),
    () => outgoingMessage(red, sms, config, account, came, outgoing(one)),
  ];
  for (const attempt of tries)
    expect(attempt).toThrow(expect.objectContaining({ code: 'input', message: sentence }));
  expect(came).toEqual({ payload: 'a text' });
});
