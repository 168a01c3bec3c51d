import { popupScope } from '../../../plugin/nocobase/popup-scope.ts';

const [sid, callSid] = ['{{ ctx.popup.record.sid }}', '{{ ctx.popup.record.callSid }}'];

test.each<[collection: string, popup: string, path: string, value: string]>([
  ['media_of_a_message', 'account_messages', 'parentSid', sid],
  ['media_of_a_message', 'view_a_message', 'parentSid', sid],
  ['get_all_recordings_for_a_given_call', 'calls_by_caller_id', 'callSid', sid],
  ['get_all_recordings_for_a_given_call', 'recordings_by_date', 'callSid', callSid],
  ['view_a_call', 'recordings_by_date', 'sid', callSid],
])('%s in a popup of %s shows what belongs to its record', (collection, popup, path, value) => {
  expect(popupScope(collection, popup)).toEqual({
    ...{ logic: '$and', items: [{ path, operator: '$eq', value }] },
  });
});

test.each([
  ['a list without a required filter', 'calls_by_caller_id', 'calls_by_caller_id'],
  ['a popup whose record has no such SID', 'media_of_a_message', 'calls_by_caller_id'],
  ['a popup of another table', 'media_of_a_message', 'customers'],
  ['a block on a page', 'media_of_a_message', ''],
  ['another table', 'customers', 'account_messages'],
])('%s has an empty scope', (_, collection, popup) => {
  expect(popupScope(collection, popup)).toEqual({ logic: '$and', items: [] });
});
