import { type Page, pollEvents, type Telephony, type TelephonyEvent } from '../../src/builder.ts';

const minute = 60_000;
const start = Date.parse('2026-11-20T12:00:00Z');
const perPage = 1_000;

beforeEach(() => {
  jest.useFakeTimers({ now: start, doNotFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => jest.useRealTimers());

const message = (number: number, dateCreated: Date, body = 'Hello') => ({
  sid: `SM${number}`,
  direction: 'inbound',
  status: 'received',
  body,
  dateCreated,
  dateSent: null,
});

/** A service with one list, of these pages. */
function serviceWith(pages: () => Iterable<object[]>) {
  let read = 0;
  const telephony = {
    account: 'https://api.example.com/2010-04-01/Accounts/AC1',
    now: async () => new Date(),
    async *pages(): AsyncGenerator<Page> {
      for (const records of pages()) {
        read += 1;
        yield { records, more: true } as unknown as Page;
      }
    },
  } as unknown as Telephony;
  return { telephony, pagesRead: () => read };
}

/** An app that polls for received messages. */
function open(telephony: Telephony) {
  const delivered: string[] = [];
  const reports: object[] = [];
  let text: string | undefined;
  const poll = pollEvents(telephony, {
    events: ['sms-received'],
    cursor: {
      read: () => text,
      write: (cursor) => {
        text = cursor;
      },
    },
    onEvent: (event: TelephonyEvent) => void delivered.push(event.record.sid),
    onOutcome: (report) => {
      if (report.outcome !== 'delivered') reports.push(report);
    },
  });
  return {
    reports,
    /** Polls once, and returns what was delivered. */
    poll: async () => {
      await poll();
      return delivered.splice(0);
    },
    storedCursor: () => text ?? '',
  };
}

/** The pages of a list, newest record first. */
function* pagesOf(records: object[]) {
  for (let from = 0; from < records.length; from += perPage)
    yield records.slice(from, from + perPage);
}

const postponed = {
  outcome: 'postponed',
  message:
    'There are too many new events “SMS received” for one poll. The oldest are delivered now, the others with the next polls.',
};

test.each([
  ['too many messages', 12_000, 'Hello', [10_000, 2_000, 0]],
  ['messages that are too large', 50, 'x'.repeat(1_000_000), [19, 19, 12]],
])('delivers each of %s once, oldest first, over several polls', async (_, count, body, counts) => {
  const records: object[] = [message(0, new Date(start - 2 * minute * 60))];
  const { telephony } = serviceWith(() => pagesOf(records));
  const { poll, reports } = open(telephony);
  expect(await poll()).toEqual([]);
  // So late that only postponed events hold back the cursor.
  jest.setSystemTime(start + 300 * minute);
  for (let number = 1; number <= count; number += 1)
    records.push(message(number, new Date(start + minute + number), body));
  records.reverse();
  const polls = [await poll(), await poll(), await poll()];
  expect(polls.map(({ length }) => length)).toEqual(counts);
  expect(polls.flat()).toEqual(Array.from({ length: count }, (_, index) => `SM${index + 1}`));
  const further = counts.slice(1).filter((length) => length > 0);
  expect(reports).toEqual(further.map(() => postponed));
  expect(await poll()).toEqual([]);
});

test.each([
  ['large pages', perPage, 200],
  ['small pages', 1, 5_000],
])('stops reading an endless list, in %s, and stores nothing of it', async (_, size, pages) => {
  const created = new Date(start - minute);
  let isEndless = true;
  let number = 1;
  const endless = () =>
    (function* () {
      while (isEndless) yield Array.from({ length: size }, () => message(number++, created));
      yield [message(0, new Date(start + minute)), message(1, new Date(start - 300 * minute))];
    })();
  const { telephony, pagesRead } = serviceWith(endless);
  const { poll, storedCursor } = open(telephony);
  await expect(poll()).rejects.toMatchObject({
    code: 'bad-answer',
    message:
      '“Account Messages” is too long to poll: it has more than 200,000 records or 5,000 pages. None of its events were delivered; the next poll starts again.',
  });
  expect(pagesRead()).toBe(pages);
  expect(storedCursor().length).toBeLessThan(1_000);
  isEndless = false;
  jest.setSystemTime(start + 2 * minute);
  expect(await poll()).toEqual(['SM0']);
});
