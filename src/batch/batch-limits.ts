import type { Action } from '../../generated/definition-types.ts';
import { inSlices } from '../async/in-slices.ts';
import { withoutChannel } from '../field-types/phone.ts';
import { mostOf, quietOf, sendingOf, tooLongText } from '../limits/spending-guard.ts';
import { usageOf } from '../limits/usage.ts';
import { type LimitKey, limitLabel } from '../settings/spending.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { zonedText } from '../text/quiet-hours.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { type Connection, connectionOf } from '../wire/connection.ts';
import type { Batch } from './batch.ts';
import { batchCostInSlices } from './batch-cost.ts';
import { isToSend, type RowItem } from './row-item.ts';

/** What the preview of a batch says about limits. */
export interface BatchLimits {
  /** The limits that the batch exceeds. */
  exceeded: Sentence[];
  /** What it uses of a limit that it doesn't exceed, and what is sent after the quiet hours. */
  used: Sentence[];
}

const nameOf = (key: LimitKey) => ({ text: limitLabel(key) });

/** Says what of the limits per hour and day a batch uses, or how many of its rows they allow. */
async function numberLimits(
  connection: Connection,
  { counts }: Action,
  rows: number,
  isConfirmed: boolean,
): Promise<BatchLimits> {
  const { most: limits = {} } = connection.spending ?? {};
  const { messages, calls } = await usageOf(connection).read(limits);
  const sent: [key: LimitKey, count: number][] =
    counts === 'call'
      ? [['callsPerHour', calls.lastHour]]
      : [
          ['perHour', messages.lastHour],
          ['perDay', messages.lastDay],
        ];
  const known = sent.flatMap(([key, count]) => {
    const { most = 0, isSet = false } = limits[key] ?? {};
    if (most === 0 || (isConfirmed && !isSet)) return [];
    return { isSet, values: { limit: nameOf(key), most, rows, left: Math.max(0, most - count) } };
  });
  const exceeded = known.filter(({ values }) => rows > values.left);
  // The narrowest one says enough. Defaults are so high that only a batch that exceeds them need know of them.
  const [narrowest] = known
    .filter((one) => one.isSet && !exceeded.includes(one))
    .sort((one, other) => one.values.left - other.values.left);
  return {
    exceeded: exceeded.map(({ values }) =>
      sentence(
        'Of these {rows, plural, one {# row} other {# rows}}, the limit “{limit}” ({most}) allows {left} now. The others are not run.',
        values,
      ),
    ),
    used: narrowest
      ? [
          sentence(
            'Uses {rows} of the {left} that the limit “{limit}” ({most}) still allows.',
            narrowest.values,
          ),
        ]
      : [],
  };
}

/** Says how many rows are for a country that isn't allowed. */
async function countryLimits(
  connection: Connection,
  action: Action,
  { items, cost }: Batch<unknown>,
  rows: number,
): Promise<Sentence[]> {
  const { countries = new Set<string>() } = connection.spending ?? {};
  if (countries.size === 0) return [];
  const { countries: counts = {} } = cost ?? (await batchCostInSlices(action, items));
  const allowed = [...countries].reduce((sum, country) => sum + (counts[country] ?? 0), 0);
  if (rows === allowed) return [];
  return [
    sentence(
      '{count, plural, one {# row is} other {# rows are}} for a country that “{limit}” does not have.',
      { count: rows - allowed, limit: nameOf('countries') },
    ),
  ];
}

/** Says how many rows the limits refuse or send later for what they contain: their time, their texts, and how much their recipients get. */
async function rowLimits(
  connection: Connection,
  action: Action,
  toSend: RowItem[],
  isConfirmed: boolean,
): Promise<BatchLimits> {
  const { spending } = connection;
  if (!spending) return { exceeded: [], used: [] };
  const toOne = mostOf(spending, 'perRecipientPerHour', isConfirmed);
  const toNumber = new Map<string, number>();
  let [quiet, until, later, by, long] = [0, 0, 0, 0, 0];
  const hasLimit = spending.quietHours || spending.most.mostSegments || toOne !== undefined;
  await inSlices(hasLimit ? toSend : [], ({ values = {} }) => {
    const sending = sendingOf(action, values);
    if (!sending) return;
    const found = quietOf(connection, sending);
    if (found?.instead) [later, by] = [later + 1, Math.max(by, found.instead)];
    else if (found) [quiet, until] = [quiet + 1, Math.max(until, found.until)];
    if (tooLongText(spending, sending)) long += 1;
    const number = withoutChannel(sending.recipient?.number ?? '');
    if (action.counts === 'message') toNumber.set(number, (toNumber.get(number) ?? 0) + 1);
  });
  const sentTo =
    toOne === undefined || toNumber.size === 0
      ? undefined
      : await usageOf(connection).sentTo(connection);
  let tooMany = 0;
  await inSlices(sentTo ? toNumber : [], ([number, count]) => {
    const left = Math.max(0, (toOne ?? 0) - (sentTo?.(number) ?? 0));
    tooMany += Math.max(0, count - left);
  });
  const atClock = (time: number) =>
    spending.quietHours ? zonedText(spending.quietHours, time) : '';
  const exceeded = [
    quiet > 0 &&
      sentence(
        '{count, plural, one {# row falls} other {# rows fall}} in the “{limit}”, which last until {until}. Start the batch after that.',
        { count: quiet, limit: nameOf('quietHours'), until: atClock(until) },
      ),
    long > 0 &&
      sentence(
        '{count, plural, one {# row takes} other {# rows take}} more SMS than “{limit}” ({most}) allows.',
        {
          ...{ count: long, limit: nameOf('mostSegments') },
          most: spending.most.mostSegments?.most ?? 0,
        },
      ),
    tooMany > 0 &&
      sentence(
        '{count, plural, one {# row is} other {# rows are}} for recipients who get no more than “{limit}” ({most}) allows in an hour.',
        { count: tooMany, limit: nameOf('perRecipientPerHour'), most: toOne ?? 0 },
      ),
  ].filter((one) => one !== false);
  const used = sentence(
    '{count, plural, one {# row falls} other {# rows fall}} in the “{limit}” and {count, plural, one {is} other {are}} sent when they end, by {until}.',
    { count: later, limit: nameOf('quietHours'), until: atClock(by) },
  );
  return { exceeded, used: later > 0 ? [used] : [] };
}

async function limitsOf(
  connection: Connection,
  action: Action,
  batch: Batch<unknown>,
  isConfirmed: boolean,
): Promise<BatchLimits> {
  const { spending } = connection;
  const toSend = batch.items.filter(isToSend);
  if (!spending || !action.counts || toSend.length === 0) return { exceeded: [], used: [] };
  if (await spending.isStopped())
    return {
      exceeded: [sentence('“{stop}” is on, so nothing is sent.', { stop: nameOf('stopped') })],
      used: [],
    };
  const { exceeded, used } = await numberLimits(connection, action, toSend.length, isConfirmed);
  const countries = await countryLimits(connection, action, batch, toSend.length);
  const rows = await rowLimits(connection, action, toSend, isConfirmed);
  return {
    exceeded: [...exceeded, ...countries, ...rows.exceeded],
    used: [...used, ...rows.used],
  };
}

/**
 * Says which limits a batch exceeds that is previewed, and what it uses of them. Nothing if they can't be read: sending then fails with the
 * reason.
 *
 * @param open opens the account that sends it
 * @param isConfirmed whether a person confirms it, so that only limits that someone set refuse it
 */
export async function batchLimits(
  open: () => Telephony | Promise<Telephony>,
  action: Action,
  batch: Batch<unknown>,
  isConfirmed: boolean,
): Promise<BatchLimits | undefined> {
  if (batch.state !== 'preview') return undefined;
  try {
    const connection = connectionOf(await open());
    return connection && (await limitsOf(connection, action, batch, isConfirmed));
  } catch (error) {
    if (error instanceof TelephonyError) return undefined;
    throw error;
  }
}
