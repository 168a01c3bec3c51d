import { storeHash } from '../../../src/builder.ts';
import { copyRepository } from '../../support/copy-of-the-repository.ts';
import { until } from '../../support/until.ts';
import { createTrigger } from '../app.ts';
import { type Host, installPlugin, type Loose, model, saltcorn, startSaltcorn } from '../host.ts';

/** An event that no list shows. */
const event = {
  $schema: '../schema/event.schema.json',
  id: 'call-transcribed',
  name: 'Call transcribed',
  description: 'What was said in a call was written down.',
  setUp: 'Enter the address where you have it written down.',
  when: [
    { name: 'TranscriptionSid', given: true },
    ...['Body', 'CallStatus', 'MessageStatus', 'RecordingStatus'].map((name) => ({
      ...{ name, given: false },
    })),
  ],
  parameters: [
    { name: 'CallSid', key: 'sid' },
    { name: 'AccountSid', key: 'accountSid', purpose: 'account' },
  ],
  identifiedBy: ['sid'],
  result: { of: 'call' },
};

const copy = copyRepository();
const location = copy.path('dist/saltcorn');
let host: Host;
beforeAll(async () => {
  copy.list('events', 'events/call-transcribed.json');
  copy.write({ 'events/call-transcribed.json': JSON.stringify(event) });
  copy.run('build.mjs', 'saltcorn');
  host = await startSaltcorn(location);
});

const query = async (sql: string): Promise<Loose[]> => (await saltcorn('data/db').query(sql)).rows;

test.each([
  ['next to an event that can be polled', [event.name, 'SMS received'], ['sms-received']],
  ['alone', [event.name], []],
])('does not poll for an event that no list shows, %s', async (_, subscribed, polled) => {
  for (const when_trigger of subscribed)
    await createTrigger({ ...{ name: when_trigger, action: 'Send SMS', when_trigger } });
  await installPlugin(location, { ...host.settings, pollMinutes: 1 });
  const stored = async (key: string): Promise<Loose> => {
    const id = storeHash('poll ', key);
    const [row] = await query(`select body from telephony_store where id = '${id}'`).catch(
      () => [],
    );
    return row && JSON.parse(row.body).value;
  };
  // Polling stores nothing if no event can be polled.
  await until(async () => {
    const state = await stored('state');
    return polled.length === 0 ? !state : Boolean(state?.answeredAt ?? state?.problem);
  });
  const { problem } = (await stored('state')) ?? {};
  expect([Object.keys(JSON.parse((await stored('cursor')) ?? '{}')), problem]).toEqual([
    polled,
    undefined,
  ]);
  for (const trigger of await model('trigger').find({})) await trigger.delete();
});
