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

test('charts offer choices, numbers and dates that the service does not filter by', () => {
  const [found] = collections.filter(({ source }) => source.id === 'calls-by-caller-id');
  const charted = found?.options.fields.filter((one) => 'filterable' in one && one.filterable);
  expect(charted?.map(({ name }) => name)).toEqual([
    ...['direction', 'startTime', 'endTime', 'duration', 'price'],
    ...['answeredBy', 'queueTime', 'dateCreated', 'dateUpdated'],
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
