import { properties } from '../../../plugin/n8n/node/properties.ts';

const shownFor = (operation: string) =>
  properties.filter(({ displayOptions }) =>
    JSON.stringify(displayOptions ?? {}).includes(`"operation":["${operation}"]`),
  );

test.each([
  ['send-sms', ['from *', 'to *', 'body *']],
  // The messaging service among the additional fields can select the sender.
  ['send-a-message', ['from', 'to *', 'options']],
])('the inputs of %s, and which of them are required', (operation, names) => {
  const shown = shownFor(operation);
  expect(shown.map(({ name, required }) => (required ? `${name} *` : name))).toEqual(names);
});

test('names are in n8n’s capitalisation', () => {
  const names = JSON.stringify(
    properties.map(({ displayName, options }) => [displayName, options]),
  );
  for (const name of ['Calls by Caller ID', 'Phone Number', 'Messaging Service SID'])
    expect(names).toContain(`"${name}"`);
});
