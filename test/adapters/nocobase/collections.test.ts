import { collections } from '../../../plugin/nocobase/server/data-source/collections.ts';

test('menus list what users look for before technical columns', () => {
  const [found] = collections.filter(({ source }) => source.id === 'recordings-by-date');
  expect(found?.options.fields.map(({ name }) => name)).toEqual([
    ...['sid', 'callSid', 'status', 'startTime', 'duration', 'channels', 'track', 'source'],
    ...['price', 'priceUnit', 'errorCode', 'encryptionDetails', 'dateCreated', 'dateUpdated'],
    ...['media', 'call'],
    ...['mediaUrl', 'conferenceSid', 'accountSid', 'apiVersion', 'uri'],
  ]);
});

test('columns of dates that the service filters by a range can be filtered', () => {
  const filterable = collections.map(({ source, options }) => [
    source.id,
    options.fields
      .filter((one) => one.interface === 'telephony-date-filter')
      .map(({ name }) => name),
  ]);
  expect(filterable.filter(([, names]) => names?.length)).toEqual([
    ['calls-by-number-and-date', ['startTime']],
    ['recordings-by-date', ['dateCreated']],
    ['account-messages', ['dateSent']],
  ]);
});
