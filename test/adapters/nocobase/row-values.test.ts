import { rowValues, suits } from '../../../plugin/nocobase/client-v2/action/row-values.ts';
import { collections } from '../../../plugin/nocobase/server/data-source/collections.ts';
import { actionOf, definitions } from '../../../src/builder.ts';

type Fields = { name: string; interface?: string }[];

const table = (fields: Fields) => ({ name: 'customers', getFields: () => fields });

/** The collection of a data source, as NocoBase's client has it. */
function listOf(id: string) {
  const { options } = collections.find(({ source }) => source.id === id) ?? {};
  if (!options) throw new Error(`There is no ${id}.`);
  return {
    ...{ name: options.name, getFields: () => options.fields },
    dataSource: { options: { type: definitions.manifest.id } },
  };
}

const phone = { name: 'mobile', interface: 'phone' };
const named = { name: 'phone', interface: 'input' };
const name = { name: 'name', interface: 'input' };
const [calls, recordings] = [listOf('account-calls'), listOf('recordings-by-date')];
const messages = listOf('account-messages');
const [toMobile, toPhone] = [{ to: '{{ ctx.record.mobile }}' }, { to: '{{ ctx.record.phone }}' }];

test.each<[what: string, id: string, collection: ReturnType<typeof table>, values: object]>([
  ["the row's phone column", 'send-sms', table([name, phone]), toMobile],
  [
    'the column of type phone, not the one with the name',
    'send-sms',
    table([named, phone]),
    toMobile,
  ],
  ['the column with the name', 'make-a-call', table([name, named]), toPhone],
  ['nothing from several phone columns', 'send-sms', table([phone, { ...phone, name: 'fax' }]), {}],
  ['nothing from a table without numbers', 'send-sms', table([name]), {}],
  ['nothing from a call, which has two numbers', 'send-sms', calls, {}],
  ['the SID of a call', 'create-a-call-recording', calls, { callSid: '{{ ctx.record.sid }}' }],
  [
    'the SIDs of a recording and its call',
    'stop-a-call-recording',
    recordings,
    { callSid: '{{ ctx.record.callSid }}', recordingSid: '{{ ctx.record.sid }}' },
  ],
  [
    'a SID from a column of its name',
    'end-a-call',
    table([{ name: 'callSid' }]),
    { callSid: '{{ ctx.record.callSid }}' },
  ],
])('a new button is filled in with %s', (_, id, collection, values) => {
  expect(rowValues(actionOf(id), collection)).toEqual(values);
});

test.each<[id: string, collection: ReturnType<typeof table>, isOffered: boolean]>([
  ['end-a-call', calls, true],
  ['end-a-call', recordings, true],
  ['end-a-call', messages, false],
  ['stop-a-call-recording', calls, false],
  ['send-sms', messages, true],
  ['send-sms', calls, true],
  ['end-a-call', table([name]), true],
])('a menu offers %s for rows of %j: %s', (id, collection, isOffered) => {
  expect(suits(actionOf(id), collection)).toBe(isOffered);
});
