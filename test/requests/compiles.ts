import { connect, type Page, type TelephonyRecord } from '../../src/builder.ts';
import { account } from './service.ts';

/**
 * Code that must compile, and code that must not. `npm run types` checks it, and reports each expected error that is missing. It
 * never runs.
 */
export async function compiles(id: string, input: object, textOrId: 'view-a-call' | 'nothing') {
  const telephony = connect(account);

  const call = await telephony.run('view-a-call', { callSid: 'CA1' });
  call.sid satisfies string;
  call.duration satisfies number | null;
  const page = await telephony.run('calls-by-caller-id', { status: 'busy' });
  page.records satisfies { from: string | null }[];
  for await (const { records, more } of telephony.pages('account-calls', {}, { limit: 5 })) {
    records satisfies { startTime: Date | null }[];
    more satisfies boolean;
  }

  (await telephony.run('account-calls')) satisfies { more: boolean };
  for await (const record of telephony.records('account-calls', {}, { limit: 5 }))
    record.startTime satisfies Date | null;
  for await (const record of telephony.records('calls-by-caller-id')) record.sid satisfies string;
  for await (const record of telephony.records(id)) record satisfies TelephonyRecord;

  const something = await telephony.run(id, input);
  something satisfies TelephonyRecord | Page;
  for await (const { records } of telephony.pages(id, input)) records satisfies TelephonyRecord[];

  // @ts-expect-error no such operation
  await telephony.run('send-fax', {});
  // @ts-expect-error one of the two is no operation
  await telephony.run(textOrId, { callSid: 'CA1' });
  // @ts-expect-error the input of an operation with required fields is missing
  await telephony.run('view-a-call');
  // @ts-expect-error a required field is missing
  await telephony.run('send-sms', { from: '+14155550100', to: '+12025550143' });
  // @ts-expect-error no such field
  await telephony.run('account-calls', { status: 'busy' });
  // @ts-expect-error no such choice
  await telephony.run('calls-by-caller-id', { status: 'engaged' });
  // @ts-expect-error a number is wanted
  await telephony.run('calls-by-caller-id', { pageSize: '20' });
  // @ts-expect-error no list
  telephony.pages('view-a-call', { callSid: 'CA1' });
  // @ts-expect-error an action has no records
  telephony.records('send-sms', { from: '+14155550100', to: '+12025550143', body: 'Hi' });
  // @ts-expect-error a record is no page
  call.records satisfies unknown;
  // @ts-expect-error no such limit
  connect({ ...account, limits: { retries: 3 } });
  // @ts-expect-error a password is needed
  connect({ username: 'AC1' });
}
