import { eventIdentity } from '../../events/keeps-deliveries.ts';
import { worker } from '../../support/builder-worker.ts';
import { until } from '../../support/until.ts';
import { artefact, type Host, installPlugin, saltcorn, startSaltcorn } from '../host.ts';

const day = 24 * 3_600_000;

let host: Host;
let deliveryLogOf: typeof import('../../../plugin/saltcorn/event/delivery-log.ts')['deliveryLogOf'];
beforeAll(async () => {
  host = await startSaltcorn();
  ({ deliveryLogOf } = require('../../../plugin/saltcorn/event/delivery-log.ts'));
});

const db = () => saltcorn('data/db');
type Module = typeof import('../../../plugin/saltcorn/bulk/batches.ts');

test('deletes old entries even if no one presses a button again', async () => {
  const { batches }: Module = require('../../../plugin/saltcorn/bulk/batches.ts');
  const preview = () =>
    batches.press({ owner: 'user 1', actionId: 'send-sms', button: 'B', context: {} });
  const old = await preview();
  const notes = ['SM1', 'SM2', 'SM3'].map((sid) => eventIdentity(sid, 1));
  for (const note of notes.slice(0, 2)) await deliveryLogOf().begin(note);
  await deliveryLogOf().delivered(notes[0] ?? eventIdentity('', 0));
  await db().query(`update telephony_store set at = ${Date.now() - 31 * day}`);
  await deliveryLogOf().begin(notes[2] ?? eventIdentity('', 0));
  const recent = await preview();
  const rows = async () => (await db().query('select * from telephony_store')).rows.length;
  // The first purge is a minute after the module was loaded.
  const { setTimeout } = worker.global;
  const sooner = (work: () => void, milliseconds: number) =>
    setTimeout(work, milliseconds === 60_000 ? 0 : milliseconds);
  const begin = jest.spyOn(worker.global, 'setTimeout');
  begin.mockImplementation(Object.assign(sooner, setTimeout));
  await installPlugin(artefact, host.settings);
  begin.mockRestore();
  // The preview, and the event's record, signature and last time.
  await until(async () => (await rows()) === 4);
  expect(await batches.find(old, 'user 1')).toBeUndefined();
  expect(await batches.find(recent, 'user 1')).toMatchObject({ state: 'choosing' });
  const known = [];
  for (const note of notes) known.push(await deliveryLogOf().begin(note));
  expect(known).toEqual(['new', 'new', 'in-progress']);
});
