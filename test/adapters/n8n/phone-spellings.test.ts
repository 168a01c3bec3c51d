import { Readable } from 'node:stream';
import { accountOf } from '../../../plugin/n8n/account/account.ts';
import { act } from '../../../plugin/n8n/action/action.ts';
import { eachItem } from '../../../plugin/n8n/node/each-item.ts';
import { actionOf } from '../../../src/builder.ts';
import { countries, sentBySpelling, spellingsIn } from '../../support/phone-spellings.ts';
import { executeContext, newKept } from './execute-context.ts';

test.each(countries)('with the default country %j, items read all spellings', async (country) => {
  const all = spellingsIn(country);
  const credentials = {
    ...{ username: `AC${'1'.repeat(32)}`, password: 'Not-a-real-1-password' },
    defaultCountry: country,
  };
  const context = executeContext(
    { kept: newKept() },
    {
      getInputData: () => all.map(({ name }) => ({ json: { name } })),
      getCredentials: async () => credentials,
      continueOnFail: () => true,
      helpers: {
        async httpRequest({ body }: { body: string }) {
          const to = new URLSearchParams(body).get('To');
          const json = JSON.stringify({ sid: 'SM1', to, status: 'queued' });
          return { statusCode: 201, headers: {}, body: Readable.from([Buffer.from(json)]) };
        },
      },
    },
  );
  const account = await accountOf(context);
  const items = await eachItem(context, (item) => {
    const { entered, name } = all[item] ?? {};
    const input = { from: '+14155550100', to: entered, body: name };
    return act(context, account, actionOf('send-sms'), input, item);
  });
  const read = items.map(({ json }, item) => [
    all[item]?.name,
    Object(json.error).message ?? json.to,
  ]);
  expect(Object.fromEntries(read)).toEqual(sentBySpelling(all));
});
