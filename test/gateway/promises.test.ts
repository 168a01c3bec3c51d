import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type SpendingLimits, testSettings } from '../../src/builder.ts';
import type { App, ForEachRow, Run, ShownPeople, Sms, Typed } from '../promises/app.ts';
import { people } from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { until } from '../support/until.ts';
import { type Answer, act, databaseFile, sendPath, startServer } from './open-gateway.ts';

const notHere = () => {
  throw new Error('The gateway has no pages.');
};

const json = (answer: Answer) => JSON.stringify(answer.body);

/** The settings of a service with what someone typed. */
const accountOf = ({ settings }: Service, { password, baseUrl }: Typed) => ({
  ...settings,
  ...(password !== undefined && { password }),
  ...(baseUrl !== undefined && { baseUrl }),
});

/** An app that calls a gateway, as builders do that can only call a URL. */
async function openApp(service: Service): Promise<App> {
  const file = databaseFile();
  let typed: Typed = {};
  let output = '';

  async function open() {
    const { perRecipientPerHour } = typed;
    const running = await startServer({
      databaseFile: file,
      account: accountOf(service, typed),
      spending: { perRecipientPerHour } as SpendingLimits,
    });
    return { ...running, stranger: await running.callWith({}) };
  }
  let running = await open();
  closeAfterwards({ close: () => running.close() });

  async function reopen() {
    await running.close();
    running = await open();
  }

  /** Notes what the app gets. */
  const logged = (answer: Answer) => {
    output += `${answer.status} ${json(answer)}\n`;
    return answer;
  };

  /** Sends until the action has ended, as clients do whose first attempt isn't over. */
  async function send(input: object, key: string, call = running.call): Promise<Answer> {
    for (;;) {
      const answer = await act(call, sendPath, input, key);
      if (answer.status !== 409) return logged(answer);
      await setTimeout(20);
    }
  }
  const shown = ({ body }: Answer, to: unknown) => body.detail ?? `to ${to} ${body.status}`;
  const smsOf = ({ to, body }: Sms) => ({ from: '+14155550100', to, body });
  const recordings = async (query: object, call = running.call) => {
    const path = `/v1/data-sources/recordings-by-caller-id?${new URLSearchParams({ limit: '1000', ...query })}`;
    return json(logged(await call(path)));
  };
  const textOf = (value: unknown) => (value === undefined ? {} : { from: String(value) });

  /** Opens a batch of rows. */
  async function batch(rows: object[], skips: object): Promise<Run> {
    const { call } = running;
    const body = { action: 'send-sms', name: 'Desk', rows, ...skips };
    const preview = logged(await call('/v1/batches', { body }));
    const path = `/v1/batches/${preview.body.key}`;
    const { key } = preview.body;
    const view = async () => logged(await running.call(`/v1/batches/${key}`)).body;
    return {
      question: `${preview.body.start}\n${preview.body.text}`,
      start: async () => void logged(await running.call(`${path}/start`, { method: 'POST' })),
      stop: async () => void logged(await running.call(`${path}/stop`, { method: 'POST' })),
      shown: async () => (await view()).text,
      async result() {
        await until(async () => ['ended', 'interrupted'].includes((await view()).state));
        return (await view()).text;
      },
    };
  }

  const rowsOf = (name: string | undefined) =>
    people
      .filter((one) => name === undefined || one.name === name)
      .map((one) => ({
        ...{ id: one.name, name: one.name },
        input: { from: '+14155550100', to: one.phone, body: 'Hello' },
      }));

  const forEachRow: ForEachRow = {
    text: ({ name, skipsSent }: ShownPeople) =>
      batch(rowsOf(name), skipsSent ? {} : { skipsSent: false }),
    textWhere: notHere,
    restart: notHere,
  };

  return {
    forEachRow,
    get page() {
      return notHere();
    },
    async send(sms, clicks = 1) {
      const key = randomUUID();
      const answers = Array.from({ length: clicks }, () => send(smsOf(sms), key));
      return (await Promise.all(answers)).map((answer) => shown(answer, sms.to)).join('\n');
    },
    async sendTo(values) {
      const phone = Reflect.get(values, 'phone');
      const answer = await send({ from: '+14155550100', to: phone, body: 'Hello' }, randomUUID());
      return shown(answer, phone);
    },
    recordingsOf: (values) => recordings(textOf(Reflect.get(values, 'phone'))),
    boundToNothing: {
      'no parameter': () => recordings({}),
      empty: () => recordings({ from: '' }),
      blank: () => recordings({ from: ' ' }),
      undefined: () => recordings({ from: 'undefined' }),
      'a binding that no one filled in': () => recordings({ from: '{{caller}}' }),
      misspelt: () => recordings({ form: '+12025550143' }),
    },
    async sendUnattended(sms) {
      const answer = await send(smsOf(sms), randomUUID());
      output += `${sms.to}: ${shown(answer, sms.to)}\n`;
    },
    log: async () => output,
    limitsReached: async () => json(await running.call('/v1/events?cursor=start')),
    async saveSettings(next) {
      const { stopped, ...others } = next;
      if (stopped !== undefined) await running.gateway.setStopped(stopped);
      if (stopped) return 'Stopped.';
      typed = { ...typed, ...others };
      await reopen();
      return 'Saved.';
    },
    async testConnection(next) {
      const { message } = await testSettings(accountOf(service, next));
      output += message;
      return message;
    },
    audioUrl: notHere,
    openPages: notHere,
    everything: async () => ({
      'its file': readFileSync(file, 'latin1'),
      'its log': running.log.join(''),
      answers: output,
      metrics: (await running.call('/metrics')).body,
      'its description': json(await running.call('/openapi.json')),
    }),
    stranger: {
      send: async (sms) => json(await act(running.stranger, sendPath, smsOf(sms))),
      recordings: () => recordings({ from: '+12025550143' }, running.stranger),
      listen: async (sid) => json(await running.stranger(`/v1/media/recording/${sid}`)),
      testConnection: notHere,
    },
  };
}

keepsPromises('gateway', openApp);
