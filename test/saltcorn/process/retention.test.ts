import { noteOf } from '../../events/memory.ts';
import { worker } from '../../support/builder-worker.ts';
import { until } from '../../support/until.ts';
import { artefact, type Host, installPlugin, model, saltcorn, startSaltcorn } from '../host.ts';

const day = 24 * 3_600_000;

let host: Host;
let toldEvents: typeof import('../../../plugin/saltcorn/event/told-events.ts')['toldEvents'];
beforeAll(async () => {
  host = await startSaltcorn();
  ({ toldEvents } = require('../../../plugin/saltcorn/event/told-events.ts'));
});

const db = () => saltcorn('data/db');
const run = (name: string, state: string, age: number) =>
  model('metadata').create({
    ...{ type: 'Telephony run', name, written_at: new Date(Date.now() - age) },
    body: { state, items: [{ who: '+12025550143' }] },
  });
const names = async () => {
  const runs = await model('metadata').find({ type: 'Telephony run' }, { orderBy: 'id' });
  return runs.map(({ name }: { name: string }) => name);
};

test('deletes what is kept too long, whether or not someone presses a button again', async () => {
  await run('an old one', 'ended', 31 * day);
  await run('a question that nobody answered', 'asked', day / 12);
  await run('a recent one', 'ended', day);
  const notes = ['SM1', 'SM2', 'SM3'].map((sid) => noteOf(sid, 1));
  for (const note of notes.slice(0, 2)) await toldEvents().note(note);
  await toldEvents().told(notes[0] ?? noteOf('', 0));
  await db().query(`update telephony_store set at = ${Date.now() - 31 * day}`);
  await toldEvents().note(notes[2] ?? noteOf('', 0));
  const rows = async () => (await db().query('select * from telephony_store')).rows.length;
  // The first purge comes a minute after the module was loaded.
  const { setTimeout } = worker.global;
  const sooner = (work: () => void, milliseconds: number) =>
    setTimeout(work, milliseconds === 60_000 ? 0 : milliseconds);
  const begin = jest.spyOn(worker.global, 'setTimeout');
  begin.mockImplementation(Object.assign(sooner, setTimeout));
  await installPlugin(artefact, host.settings);
  begin.mockRestore();
  await until(async () => (await names()).length === 1);
  expect(await names()).toEqual(['a recent one']);
  // Its record, its signature, and when the last event came.
  await until(async () => (await rows()) === 3);
  const known = [];
  for (const note of notes) known.push(await toldEvents().note(note));
  expect(known).toEqual(['new', 'new', 'under-way']);
});
