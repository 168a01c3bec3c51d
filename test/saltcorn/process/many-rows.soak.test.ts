import pLimit from 'p-limit';
import {
  type ManyRow,
  manyRows,
  manyRowsMs,
  sendsManyRows,
} from '../../promises/sends-many-rows.ts';
import { until } from '../../support/until.ts';
import { openPeople, pressPath } from './people-page.ts';
import { press } from './press.ts';

const rows = manyRows(300, 1_000);

async function open(settings: object) {
  const { server, boss } = await openPeople(settings, { rows_limit: rows });
  let popup = '';
  const isInProgress = async () => (await boss.get(`${popup}/part`)).includes('<progress');
  return {
    server,
    async start(rows: ManyRow[]) {
      const atOnce = pLimit(5);
      await atOnce.map(rows, ({ name, phone }) =>
        boss.post('/api/People', { name, phone, batch: 'all' }),
      );
      const shown = { url: '/page/each?batch=all', views: [] };
      ({ popup } = await press(boss, pressPath, shown));
      // Until all rows are read, the page counts them.
      await until(async () => !(await isInProgress()));
      await boss.post(`${popup}/start`, {});
    },
    async outcomes() {
      if (await isInProgress()) return undefined;
      const lines = (await boss.get(`${popup}/csv`)).trim().split('\r\n').slice(1);
      return lines.map((line) => line.split(',')[2] ?? '');
    },
  };
}

test(`texts each of ${rows} rows once`, () => sendsManyRows(open, rows), manyRowsMs(rows));
