import { addressBelow } from '../../src/builder.ts';

test.each([
  ['https://app.example.com', 'https://app.example.com/events'],
  [' https://app.example.com// ', 'https://app.example.com/events'],
  ['https://example.com/app/', 'https://example.com/app/events'],
  ['https://app.example.com/?of=shop', 'https://app.example.com/events?of=shop'],
  ['https://app.example.com?of=a/b/', 'https://app.example.com/events?of=a/b/'],
])('the webhook URL below “%s” is %s', (publicAddress, address) => {
  expect(addressBelow(publicAddress, '/events')).toBe(address);
});
