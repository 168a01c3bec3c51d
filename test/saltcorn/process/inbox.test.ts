import inbox from '../../../demo/saltcorn/inbox.json';
import { setSandboxUrl } from '../../../demo/saltcorn/set-sandbox-url.ts';
import { createNative, findTable, installPack } from '../app.ts';
import { artefact, type Host, installPlugin, model, saltcorn, startSaltcorn } from '../host.ts';
import { startWebsite, type Website } from '../website.ts';

let host: Host;
let website: Website;
beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  const { url } = website;
  await installPlugin(artefact, { ...host.settings, publicAddress: url });
  await createNative('Customers', { name: 'String', phone: 'String' }, [
    { name: 'Ada Lovelace', phone: '+1 (202) 555-0143' },
  ]);
  await installPack(inbox);
  host.sandbox.events.numbers.set('+14155550100', { smsUrl: `${url}/telephony/events` });
});

test('the demo inbox shows a simulated SMS and replies to it', async () => {
  const name = 'Simulate an incoming SMS';
  const state = saltcorn('data/db/state').getState();
  state.triggers = [];
  await setSandboxUrl(model('trigger'), host.sandbox.origin);
  await state.refresh_triggers();
  const sms = { from: '+12025550143', body: 'Are you open?' };
  await model('trigger').findOne({ name }).runWithoutRow({ row: sms });
  await host.sandbox.events.settled();
  const received = { ...sms, to: '+14155550100', customer: 'Ada Lovelace' };
  expect(await findTable('Inbox').getRows({})).toMatchObject([received]);
  const replies = host.sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  expect(replies.map(({ body }) => body)).toEqual(['Thank you for your message. We answer today.']);
});

test('the demo inbox keeps an SMS from a number that no customer has', async () => {
  const sms = { from: '+12025550199', to: '+14155550100', body: 'Who are you?' };
  host.sandbox.receiveMessage(sms);
  await host.sandbox.events.settled();
  expect(await findTable('Inbox').getRows({ body: sms.body })).toMatchObject([
    { ...sms, customer: null },
  ]);
});

test('the demo inbox refreshes its list by itself', async () => {
  const someone = await website.user();
  const html = await someone.get('/page/inbox');
  const [, name] = /reload_embedded_view\("([^"]+)"\)/.exec(html) ?? [];
  expect(html).toContain(`data-sc-embed-viewname="${name}" data-sc-view-source="/view/`);
});

test('the demo inbox has a button that simulates an SMS', async () => {
  const { mockReqRes } = saltcorn('data/tests/mocks');
  const view = model('view').findOne({ name: 'Simulate an incoming SMS' });
  const request = { ...mockReqRes.req, user: { role_id: 1 }, query: {} };
  const html = await view.run({}, { req: request, res: mockReqRes.res });
  expect(html).toMatch(/&nbsp;Simulate<\/a>/);
});
