import { type KillableApp, killedBatches, survivesKills } from '../../promises/survives-kills.ts';
import { size } from '../../support/size.ts';
import { openPeople, pressPath } from './people-page.ts';
import { press } from './press.ts';

const batches = killedBatches(1, 1);

const columns = { rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_at' };
type Rows = Parameters<KillableApp['openPreview']>[0];

const first = (pattern: RegExp, html: string) => pattern.exec(html)?.[1] ?? '';

/** The outcomes that a page or a toast names, by its lists and by its counts, which have to agree. */
function outcomesIn(html: string, rows: Rows): string[] {
  // A preview with nothing left counts none.
  if (html.includes('all rows are skipped')) return rows.map(() => 'skipped');
  const counts = [...first(/Send SMS: ([^.<]*)/, html).matchAll(/(\d+) ([a-z ]+)/g)].map(
    ([, count, word]): [string, number] => [String(word), Number(count)],
  );
  // Without counts, it is another message, such as an error.
  if (counts.length === 0) throw new Error(html);
  const [problem] = counts.filter(([word]) => word !== 'sent' && word !== 'skipped');
  const sent = first(/<details[^>]*>(.*?)<\/details>/s, html);
  const problems = html.replace(sent, '');
  const outcomes = rows.map(({ phone }) => {
    if (sent.includes(phone)) return 'sent';
    return problems.includes(phone) ? (problem?.[0] ?? 'a problem') : 'skipped';
  });
  const named = counts.map(([word]) => [word, outcomes.filter((one) => one === word).length]);
  expect(named).toEqual(counts);
  return outcomes;
}

const label = (html: string) => first(/<button[^>]*btn-primary[^>]*>([^<]*)</, html);

/** Starts a Saltcorn with a page that texts rows. */
const opener =
  (configuration: object) =>
  async (settings: {
    username: string;
    password: string;
    baseUrl: string;
  }): Promise<KillableApp> => {
    const { server, boss } = await openPeople(settings, configuration);
    let asked: Rows = [];
    let stored: unknown[] = [];

    /** Stores new rows instead of those of the last batch, and returns the URL of the page. */
    async function insert(rows: Rows) {
      const url = '/page/each';
      if (rows === asked) return url;
      for (const id of stored) await boss.post(`/delete/People/${id}`, {});
      stored = [];
      for (const { name, phone } of rows)
        stored.push((await boss.post('/api/People', { name, phone })).success);
      asked = rows;
      return url;
    }

    return {
      async openPreview(rows) {
        const url = await insert(rows);
        await boss.get(url);
        const { popup, notify } = await press(boss, pressPath, { url, views: [] });
        /** What the page shows once all rows are read, or have ended. */
        async function part() {
          for (;;) {
            const html = await boss.get(`${popup}/part`);
            if (!html.includes('<progress')) return html;
          }
        }
        const html = popup ? await part() : notify;
        const outcomes = label(html) ? [] : outcomesIn(html, rows);
        return {
          preview: { label: label(html), outcomes },
          start: async () => {
            await boss.post(`${popup}/start`, {});
          },
          async result() {
            const ended = await part();
            return { label: label(ended), outcomes: outcomesIn(ended, rows) };
          },
        };
      },
      async kill() {
        await server.restart('SIGKILL');
        // Rows that record when they were started count as in progress for two minutes.
        await fetch(`${settings.baseUrl}/sandbox/clock`, {
          ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
          body: JSON.stringify({ seconds: 180 }),
        });
      },
    };
  };

const buttons: [how: string, configuration: object][] = [
  ['without columns for outcomes', {}],
  ['with columns for outcomes', columns],
];

test.each(buttons.slice(0, size(1, 2)))(
  `no one gets a message twice in batches that are killed, and outcomes agree with the log, %s`,
  async (_, configuration) => {
    const { kills, ...found } = await survivesKills(opener(configuration), batches);
    expect(kills).toBeGreaterThanOrEqual(batches);
    // Some were sent before a kill, and some after it.
    expect(found.skipped).toBeGreaterThan(0);
    expect(found.sent).toBeGreaterThan(0);
  },
  60_000 + batches * 60_000,
);
