import { TelephonyTrigger } from '../../../plugin/n8n/event/webhook-trigger.ts';
import { properties } from '../../../plugin/n8n/node/properties.ts';
import { toolProperties } from '../../../plugin/n8n/node/tool-properties.ts';
import { definitions } from '../../../src/builder.ts';

const shownFor = (operation: string) =>
  properties.filter(({ displayOptions }) =>
    JSON.stringify(displayOptions ?? {}).includes(`"operation":["${operation}"]`),
  );

test.each([
  ['send-sms', ['from *', 'to *', 'body *', 'sending']],
  // The messaging service among the additional fields can select the sender.
  ['send-a-message', ['from', 'to *', 'options', 'sending']],
  // What fills a choice shows at first.
  ['send-a-template', ['from', 'to *', 'contentSid *', 'contentVariables', 'options', 'sending']],
  // Either a text or a URL is required. The text shows at first.
  ['make-a-call', ['from *', 'to *', 'say', 'options', 'sending']],
  ['cancel-a-scheduled-message', ['messageSid *']],
  ['delete-a-message', ['messageSid *']],
  // What a caller hears first shows at first.
  ['reply-record', ['say', 'options']],
  ['reply-forward', ['to *', 'say', 'options']],
])('the inputs of %s, and which of them are required', (operation, names) => {
  const shown = shownFor(operation);
  expect(shown.map(({ name, required }) => (required ? `${name} *` : name))).toEqual(names);
});

test('who picks an event in n8n’s list of nodes gets a trigger with that event', () => {
  // n8n fills in the first input with such a name, as a list if it takes several.
  const [first] = new TelephonyTrigger().description.properties.filter(({ displayName }) =>
    ['event', 'events', 'trigger on'].includes(displayName.toLowerCase()),
  );
  expect(first).toMatchObject({
    ...{ name: 'event', type: 'multiOptions' },
    displayOptions: { show: { '@version': [2] } },
  });
});

test('an agent reads what a tool does and costs, and its parameters; it can’t reply', () => {
  const ofSms = toolProperties.filter(
    ({ name, displayOptions }) =>
      name === 'toolDescription' && JSON.stringify(displayOptions).includes('"send-sms"'),
  );
  expect(ofSms.map((one) => String(one.default).split('\n'))).toEqual([
    [
      'Sends an SMS message. For a picture, a messaging service or a later time, use Send a Message. The service charges for this. Do it only if you were asked to, and never repeat it because of an error.',
      '- From: One of your numbers with country code, a short code, a sender name, or a WhatsApp sender such as whatsapp:+14155550100.',
      "- To: The recipient's number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.",
      '- Body: The text of the message, up to 1,600 characters.',
    ],
  ]);
  expect(JSON.stringify(toolProperties)).not.toContain('"reply');
});

test('nodes of workflows from before Simplify keep whole records', () => {
  const simplify = properties.filter(({ name }) => name === 'simplify');
  const shown = simplify.map(({ displayOptions }) => Object(displayOptions).show['@version']);
  expect(shown).toEqual(definitions.dataSources.map(() => [2]));
});

test('the inputs of a time name the workflow’s time zone', () => {
  const additional = shownFor('send-a-message').find(({ name }) => name === 'options');
  const inputs = additional?.options as typeof properties;
  expect(inputs.find(({ name }) => name === 'sendAt')).toMatchObject({
    description: expect.stringContaining("in the workflow's time zone or with a time zone"),
    hint: "A time is in the workflow's time zone",
  });
});

test('a list can be filtered by several statuses', () => {
  const filters = shownFor('calls-by-caller-id').find(({ name }) => name === 'options');
  const options = filters?.options as typeof properties | undefined;
  expect(options?.[0]).toMatchObject({
    ...{ name: 'status', type: 'multiOptions', default: [] },
    options: expect.arrayContaining([{ name: 'busy', value: 'busy' }]),
  });
});

test('no help asks to leave an added input empty', () => {
  const help = JSON.stringify(properties);
  expect(help).toContain('Only calls from this number, with country code. Leave out for all.');
  expect(help).not.toContain('Leave empty');
});

// n8n doesn't store a value that is the default, so another default changes what existing workflows do.
test('the defaults stay as they are', () => {
  const chosen = properties.filter(({ name }) => name === 'resource' || name === 'operation');
  expect(chosen.map((one) => one.default)).toEqual([
    ...['message', 'account-calls', 'create-a-call-recording', 'transcriptions-of-a-recording'],
    ...['account-messages', 'download', 'message-templates', 'phone-numbers', 'look-up-a-number'],
    ...['account-balance', 'usage-by-category', 'check-a-one-time-code', 'reply'],
  ]);
});

test('names are in n8n’s capitalisation', () => {
  const names = JSON.stringify(
    properties.map(({ displayName, options }) => [displayName, options]),
  );
  for (const name of ['Calls by Caller ID', 'Phone Number', 'Messaging Service SID'])
    expect(names).toContain(`"${name}"`);
});

test('a language that is added starts as US English', () => {
  const additional = shownFor('make-a-call').find(({ name }) => name === 'options');
  const inputs = additional?.options as typeof properties;
  expect(inputs.find(({ name }) => name === 'language')).toMatchObject({ default: 'en-US' });
});
