import { type Page, pollEvents, type Telephony, type TelephonyEvent } from '../../src/builder.ts';

const minute = 60_000;
const start = Date.parse('2026-11-20T12:00:00Z');
const perPage = 1_000;

beforeEach(() => {
  jest.useFakeTimers({ now: start, doNotFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => jest.useRealTimers());

const message = (number: number, made: number, body = 'Hello') => ({
  ...{ sid: `SM${number}`, direction: 'inbound', status: 'received', body },
  ...{ dateCreated: new Date(made), dateSent: null },
});

/** A service whose only list is that of the pages it is given. */
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

/** An app that polls received messages. */
function open(telephony: Telephony) {
  const told: string[] = [];
  const reports: object[] = [];
  let text: string | undefined;
  const poll = pollEvents(telephony, {
    events: ['sms-received'],
    cursor: {
      read: () => text,
      write: (soFar) => {
        text = soFar;
      },
    },
    onEvent: (event: TelephonyEvent) => void told.push(event.record.sid),
    onOutcome: (what) => {
      if (what.outcome !== 'delivered') reports.push(what);
    },
  });
  const ask = async () => {
    await poll();
    return told.splice(0);
  };
  return { ask, told, reports, kept: () => text ?? '' };
}

/** Pages of a list, the newest record first. */
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
  ['too many messages', 25_000, 'Hello', [10_000, 10_000, 5_000]],
  ['messages that are too large', 50, 'x'.repeat(1_000_000), [19, 19, 12]],
])(
  'delivers each of %s once, the oldest first, over several polls',
  async (_, count, body, counts) => {
    const records: object[] = [message(0, start - 2 * minute * 60)];
    const { telephony } = serviceWith(() => pagesOf(records));
    const { ask, reports } = open(telephony);
    expect(await ask()).toEqual([]);
    // Long ago, so that nothing but what waits holds back the cursor.
    jest.setSystemTime(start + 300 * minute);
    for (let number = 1; number <= count; number += 1)
      records.unshift(message(number, start + minute + number, body));
    const polls = [await ask(), await ask(), await ask()];
    expect(polls.map(({ length }) => length)).toEqual(counts);
    expect(polls.flat()).toEqual(Array.from({ length: count }, (_, index) => `SM${index + 1}`));
    expect(reports).toEqual([postponed, postponed]);
    expect(await ask()).toEqual([]);
  },
);

test.each([
  ['large pages', perPage, 200],
  ['small pages', 1, 5_000],
])(
  'stops reading a list that never ends, in %s, and keeps nothing of it',
  async (_, size, pages) => {
    let isEndless = true;
    let number = 1;
    const endless = () =>
      (function* () {
        while (isEndless)
          yield Array.from({ length: size }, () => message(number++, start - minute));
        yield [message(0, start + minute), message(1, start - 300 * minute)];
      })();
    const { telephony, pagesRead } = serviceWith(endless);
    const { ask, kept } = open(telephony);
    for (const _poll of [1])
      await expect(ask()).rejects.toMatchObject({
        code: 'bad-answer',
        message:
          '“Account Messages” has more than 200,000 records or 5,000 pages to read in one poll. Polling it stopped and none of its events were delivered; the next poll starts again.',
      });
    expect(pagesRead()).toBe(pages);
    expect(kept().length).toBeLessThan(1_000);
    isEndless = false;
    jest.setSystemTime(start + 2 * minute);
    expect(await ask()).toEqual(['SM0']);
  },
);
