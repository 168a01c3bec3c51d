import type { Action } from '../../generated/definition-types.ts';
import { usageOf } from '../limits/usage.ts';
import { type LimitKey, limitLabel } from '../settings/spending.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { type Connection, connectionOf } from '../wire/connection.ts';
import type { Batch } from './batch.ts';
import { batchCostInSlices } from './batch-cost.ts';
import { isToSend } from './row-item.ts';

const nameOf = (key: LimitKey) => ({ text: limitLabel(key) });

async function sentencesOf(
  connection: Connection,
  action: Action,
  { items, cost }: Batch<unknown>,
  isConfirmed: boolean,
): Promise<Sentence[]> {
  const { spending } = connection;
  const toSend = items.filter(isToSend);
  if (!spending || !action.counts || toSend.length === 0) return [];
  if (await spending.isStopped())
    return [sentence('“{stop}” is on, so nothing is sent.', { stop: nameOf('stopped') })];
  const { messages, calls } = await usageOf(connection).read(spending.most);
  const used: [key: LimitKey, count: number][] =
    action.counts === 'call'
      ? [['callsPerHour', calls.lastHour]]
      : [
          ['perHour', messages.lastHour],
          ['perDay', messages.lastDay],
        ];
  const reached = used.flatMap(([key, count]) => {
    const { most = 0, isSet = false } = spending.most[key] ?? {};
    if (most === 0 || (isConfirmed && !isSet) || count + toSend.length <= most) return [];
    return sentence(
      'Of these {rows, plural, one {# row} other {# rows}}, the limit “{limit}” ({most}) allows {left} now. The others are not run.',
      { rows: toSend.length, limit: nameOf(key), most, left: Math.max(0, most - count) },
    );
  });
  const { countries } = spending;
  const { countries: counts = {} } = cost ?? (await batchCostInSlices(action, items));
  const allowed = [...countries].reduce((sum, country) => sum + (counts[country] ?? 0), 0);
  const elsewhere = countries.size > 0 ? toSend.length - allowed : 0;
  if (elsewhere === 0) return reached;
  return [
    ...reached,
    sentence(
      '{count, plural, one {# row is} other {# rows are}} for a country that “{limit}” does not have.',
      { count: elsewhere, limit: nameOf('countries') },
    ),
  ];
}

/**
 * Says which limits a batch exceeds that is previewed. Empty if they can't be read: sending then fails with the reason.
 *
 * @param open opens the account that sends it
 * @param isConfirmed whether a person confirms it, so that only limits that someone set refuse it
 */
export async function exceededLimits(
  open: () => Telephony | Promise<Telephony>,
  action: Action,
  batch: Batch<unknown>,
  isConfirmed: boolean,
): Promise<Sentence[]> {
  if (batch.state !== 'preview') return [];
  try {
    const connection = connectionOf(await open());
    return connection ? await sentencesOf(connection, action, batch, isConfirmed) : [];
  } catch (error) {
    if (error instanceof TelephonyError) return [];
    throw error;
  }
}
