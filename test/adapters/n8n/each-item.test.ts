import { Readable } from 'node:stream';
import { accountOf } from '../../../plugin/n8n/account/account.ts';
import { act } from '../../../plugin/n8n/action/action.ts';
import { eachItem } from '../../../plugin/n8n/node/each-item.ts';
import { actionOf } from '../../../src/builder.ts';
import { executeContext, newKept } from './execute-context.ts';

const credentials = { username: `AC${'1'.repeat(32)}`, password: 'Not-a-real-1-password' };

/** Answers the request to send an SMS to a number. */
type Answer = (to: string) => Promise<void> | void;

/** Returns a run of a node that texts these numbers in n8n, and the numbers that the service got. */
function texting(recipients: string[], answer: Answer = () => {}, settings: object = {}) {
  const kept = newKept();
  const reached: string[] = [];
  const context = executeContext(
    { kept },
    {
      getInputData: () => recipients.map((to) => ({ json: { to } })),
      getCredentials: async () => credentials,
      continueOnFail: () => false,
      helpers: {
        async httpRequest({ body }: { body: string }) {
          const to = String(new URLSearchParams(body).get('To'));
          reached.push(to);
          await answer(to);
          const json = JSON.stringify({ sid: `SM${to.slice(1)}`, to, status: 'queued' });
          return { statusCode: 201, headers: {}, body: Readable.from([Buffer.from(json)]) };
        },
      },
      ...settings,
    },
  );
  async function send(item: number) {
    const input = { from: '+14155550100', to: recipients[item], body: 'Hello' };
    return act(context, await accountOf(context), actionOf('send-sms'), input, item);
  }
  return { kept, reached, send, run: () => eachItem(context, send) };
}

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `+1202555${1_000 + index}`);

test('sends several items at a time, and returns their records in the order of the items', async () => {
  const ends: (() => void)[] = [];
  const all = numbers(7);
  const { run } = texting(all, (to) => {
    if (all.indexOf(to) >= 5) return;
    return new Promise((resolve) => {
      ends.unshift(resolve);
      if (ends.length === 5) for (const end of ends) end();
    });
  });
  const items = await run();
  expect(items.map(({ json, pairedItem }) => [json.to, pairedItem?.item])).toEqual(
    all.map((to, item) => [to, item]),
  );
});

test('a hundred items can be in progress', async () => {
  const all = numbers(100);
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { send, reached } = texting(all, () => {
    if (reached.length === all.length) end();
    return over;
  });
  await Promise.all(all.map((_, item) => send(item)));
  expect(reached.toSorted()).toEqual(all);
});

test('items in progress finish if one fails, the rest is not sent, and the next attempt sends it', async () => {
  const [first = '', ...rest] = numbers(20);
  const recipients = ['wrong', ...rest];
  const { run, reached } = texting(recipients);
  await expect(run()).rejects.toThrow('“wrong”');
  expect(reached.toSorted()).toEqual(rest.slice(0, 4));
  recipients[0] = first;
  const items = await run();
  expect(items.map(({ json }) => json.to)).toEqual([first, ...rest]);
  expect(reached.toSorted()).toEqual([first, ...rest]);
});

test('with Continue, each item has its record or its error', async () => {
  const all = numbers(6);
  const { run } = texting(all.with(1, 'wrong'), () => {}, { continueOnFail: () => true });
  const items = await run();
  const error = { message: expect.stringContaining('“wrong”'), code: 'input', field: 'to' };
  expect(items.map(({ json }) => json.to ?? json)).toEqual(all.with(1, { error } as never));
});

test('the error of an item has the code of the service', async () => {
  const refused = { code: 21610, message: 'Attempt to send to unsubscribed recipient' };
  const { run } = texting(['+12025550199'], () => {}, {
    continueOnFail: () => true,
    helpers: {
      httpRequest: async () => ({
        ...{ statusCode: 400, headers: { 'content-type': 'application/json' } },
        body: Readable.from([Buffer.from(JSON.stringify(refused))]),
      }),
    },
  });
  const items = await run();
  expect(items.map(({ json }) => json)).toEqual([
    { error: expect.objectContaining({ code: 'rejected', serviceCode: 21610 }) },
  ]);
});

test('ten times as many items write their claims at most ten times as often', async () => {
  const writes = async (count: number) => {
    const { run, kept } = texting(numbers(count));
    await run();
    expect(kept.claims.size).toBe(count * 2);
    return kept.sizes.length;
  };
  const [few, many] = [await writes(20), await writes(200)];
  expect(few).toBeLessThanOrEqual(20 / 2);
  expect(many).toBeLessThanOrEqual(few * 10);
});
