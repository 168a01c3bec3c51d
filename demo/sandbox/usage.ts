import { type Answer, json } from './answers.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';

const START_BALANCE = 100;
const DAY = 86_400_000;

/** One thing that the account was charged for. */
interface Charge {
  category: string;
  day: string;
  usage: number;
  price: number;
}

/** The categories of the sandbox. `totalprice` is the sum of the others. */
const CATEGORIES = {
  calls: { description: 'Voice Minutes', count: 'calls', usage: 'minutes' },
  recordings: { description: 'Recordings', count: 'recordings', usage: 'minutes' },
  sms: { description: 'SMS', count: 'messages', usage: 'segments' },
  totalprice: { description: 'Total Price', count: '', usage: 'usd' },
} as const;

type Category = keyof typeof CATEGORIES;

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const isDate = ({ date_created }: { date_created: string }) =>
  !Number.isNaN(Date.parse(date_created));
const minutes = (seconds: string | undefined | null) =>
  Math.ceil(Math.max(Number(seconds) || 0, 0) / 60);
const amount = (number: number) => String(Number(number.toFixed(5)));

function chargesOf({ calls, messages, recordings }: State): Charge[] {
  const charge = (
    category: Category,
    { date_created, price }: { date_created: string; price?: string | null },
    usage: number,
  ): Charge => ({
    category,
    usage,
    day: dayOf(new Date(date_created)),
    price: -(Number(price) || 0),
  });
  return [
    ...calls.filter(isDate).map((one) => charge('calls', one, minutes(one.duration))),
    ...recordings.filter(isDate).map((one) => charge('recordings', one, minutes(one.duration))),
    ...messages.filter(isDate).map((one) => charge('sms', one, Number(one.num_segments))),
  ];
}

/** One record of a category and a period. */
function usageRecord(
  { account: { sid: account_sid, root }, now }: State,
  category: Category,
  [start, end]: [start: string, end: string],
  charges: Charge[],
) {
  const { description, count, usage } = CATEGORIES[category];
  const isTotal = category === 'totalprice';
  const own = charges.filter((one) => isTotal || one.category === category);
  const price = own.reduce((sum, one) => sum + one.price, 0);
  const used = own.reduce((sum, one) => sum + one.usage, 0);
  const query = new URLSearchParams({ Category: category, StartDate: start, EndDate: end });
  return {
    account_sid,
    api_version: '2010-04-01',
    as_of: now().toISOString().replace('.000Z', '+00:00'),
    category,
    count: isTotal ? null : String(own.length),
    count_unit: count,
    description,
    end_date: end,
    price: amount(price),
    price_unit: 'usd',
    start_date: start,
    subresource_uris: {},
    uri: `${root}/Usage/Records.json?${query}`,
    usage: amount(isTotal ? price : used),
    usage_unit: usage,
  };
}

const isDay = (text: string | null): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** The asked period: by default, from the first charge until today. */
function periodOf(state: State, query: URLSearchParams): [start: string, end: string] {
  const [start, end] = [query.get('StartDate'), query.get('EndDate')];
  const days = chargesOf(state).map(({ day }) => day);
  const today = dayOf(state.now());
  return [isDay(start) ? start : (days.sort()[0] ?? today), isDay(end) ? end : today];
}

/** The days of a period that are over or today, newest first. */
function daysOf([start, end]: [start: string, end: string], today: string): string[] {
  const last = Date.parse(end < today ? end : today);
  const count = Math.min(Math.max((last - Date.parse(start)) / DAY + 1, 0), 400);
  return Array.from({ length: count }, (_, ago) => dayOf(new Date(last - ago * DAY)));
}

function page(state: State, { path, query }: Request, periods: [string, string][]): Answer {
  const asked = query.get('Category');
  const categories = (Object.keys(CATEGORIES) as Category[]).filter(
    (one) => !asked || one === asked,
  );
  const charges = chargesOf(state);
  const records = periods.flatMap((period) => {
    const within = charges.filter(({ day }) => period[0] <= day && day <= period[1]);
    return categories.map((category) => usageRecord(state, category, period, within));
  });
  return pageOf(path, 'usage_records', records, query, ({ category, start_date }) =>
    [category, start_date].join('-'),
  );
}

/** `GET /Usage/Records.json`: what each category used and cost in a period. */
export const listUsage = (state: State, request: Request): Answer =>
  page(state, request, [periodOf(state, request.query)]);

/** `GET /Usage/Records/Daily.json`: the same by day, newest first. */
export const listDailyUsage = (state: State, request: Request): Answer =>
  page(
    state,
    request,
    daysOf(periodOf(state, request.query), dayOf(state.now())).map((day) => [day, day]),
  );

/** `GET /Balance.json`: what is left of the credit. */
export function viewBalance(state: State): Answer {
  const spent = chargesOf(state).reduce((sum, { price }) => sum + price, 0);
  const { sid: account_sid } = state.account;
  return json(200, { account_sid, balance: amount(START_BALANCE - spent), currency: 'USD' });
}
