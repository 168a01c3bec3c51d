import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../../demo/sandbox/index.ts';
import { gateIn } from '../support/gate.ts';
import { makeHostile, watchForHostility } from '../support/hostile.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import { sidsOf } from '../support/sids-of.ts';
import { until } from '../support/until.ts';
import { type App, people, type Run, type Typed, vagueFilters } from './app.ts';
import { wrongPassword } from './secrets.ts';
import type { Service } from './service.ts';

/** A promise that is tried in every builder. No text may contain a secret, and none may reach another host. */
export interface Case {
  name: string;
  /** Faults of the service. */
  faults?: Fault[];
  /** Tries it, and returns the text that the user then sees. */
  tried(app: App, service: Service): Promise<string>;
  /** Matches that text. */
  reads?: RegExp;
  /** The recipients of all messages at the service afterwards; none by default. */
  reached?: string[];
  /** Instead of `reached`: some recipients have a message, none has two. */
  reachesSome?: true;
  /** The SIDs of all recordings in the text, if they matter. */
  shows?(service: Service): string[];
  /** It restarts the builder, so it can take as long as opening it. */
  restarts?: true;
  /** The service gets no request. */
  sendsNothing?: true;
  /** Builders in which the case is skipped, and why. */
  without?: Record<string, string>;
}

const body = 'Your table is ready.';
const noOne = { reached: [], shows: () => [] };
const sent = (to: string) => new RegExp(`to \\${to} (queued|sent)`);
const unknown = /is unknown; it was not sent again/;

const typed =
  (to: string, clicks = 1) =>
  (app: App) =>
    app.send({ to, body }, clicks);

/** Sends another message afterwards: any second one of the first has arrived before it. */
const clicked = (
  clicks: number,
  to: string,
  next: string,
): Pick<Case, 'tried' | 'reached' | 'reads'> => ({
  tried: async (app) => {
    const said = await app.send({ to, body }, clicks);
    await app.send({ to: next, body });
    return said;
  },
  reached: [next, to],
  reads: sent(to),
});

const caller = '+12025550143';
const recordingsOfCaller = ({ sandbox: { calls, recordings } }: Service) => {
  const theirs = sidsOf(calls.filter(({ from }) => from === caller));
  return sidsOf(recordings.filter(({ call_sid }) => theirs.includes(call_sid)));
};
const list = (phone: unknown) => (app: App) => app.recordingsOf({ phone });

async function eventually(read: () => Promise<string>, wanted: string): Promise<string> {
  let text = '';
  await until(async () => {
    text = await read();
    return text.includes(wanted);
  });
  return text;
}

const unattended = (to: string) => async (app: App) => {
  await app.sendUnattended({ to, body });
  return eventually(app.log, to);
};

/** Values without a phone number, bound to a filter or a recipient. */
const missing: [what: string, values: object][] = [
  ['is missing', {}],
  ['is null', { phone: null }],
  ['is empty', { phone: '' }],
  ['is false', { phone: false }],
  ['is misspelt', { fone: caller }],
];

const forEachRow = {
  of: ({ forEachRow }: App) => {
    if (forEachRow) return forEachRow;
    throw new Error('Say in the table why this builder can do nothing for each row.');
  },
};

const noBatches = {
  n8n: 'each item of an execution is an action of its own, without a preview',
  budibase: 'each query is an action of its own, without a preview',
  tooljet: 'each query is an action of its own, without a preview',
};
const keepsPassword = {
  n8n: 'n8n keeps the password of a credential whose host is changed',
  budibase: 'Budibase keeps the password of a data source whose host is changed',
  tooljet: 'ToolJet keeps the password of a data source whose host is changed',
  gateway: 'who starts the gateway enters both together',
};
/** Their tests run the plugin in processes like the builders', not the builders themselves. */
const notOfPlugin = {
  budibase: 'Budibase does this around the plugin',
  tooljet: 'ToolJet does this around the plugin',
};
const noLimits = {
  budibase: 'Budibase has no settings for limits',
  tooljet: 'ToolJet has no settings for limits',
};
const noBrowser = 'its tests run without a browser';
const allAnswered = { gateway: 'each caller gets the outcome' };
const noTables = { gateway: 'rows come in a request, not from a table' };

const everyone = [...new Set(people.map(({ phone }) => `+${phone.replaceAll(/\D/g, '')}`))];
const one = people[3] ?? { name: '', phone: '' };

/** Starts a batch, and returns its preview and its result. */
const texted = async (run: Run) => {
  await run.start();
  return run.question + (await run.result());
};

/** Forwards so many messages, and holds the others. */
function holdAfter(count: number, { proxy }: Service) {
  let passed = 0;
  return gateIn(proxy, (path) => {
    if (!path.endsWith('/Messages.json')) return false;
    passed += 1;
    return passed > count;
  });
}

const unlimited: Typed = { perRecipientPerHour: '', stopped: false };

/** Does something while limits are set. */
const within =
  (limits: Typed, act: (app: App, service: Service) => Promise<string>): Case['tried'] =>
  async (app, service) => {
    await app.saveSettings({ ...typedSettings(service), ...unlimited, ...limits });
    try {
      return await act(app, service);
    } finally {
      await app.saveSettings({ ...typedSettings(service), ...unlimited });
    }
  };

/** The event of three messages to a recipient, once, without texts and recipients. */
const isOneRefusal =
  /^(?!.*"most":3.*"most":3)(?!.*(?:No\. \d|2025550253)).*"limit":"perRecipientPerHour","most":3,"until":"20\d\d-[^"]*","action":"Send SMS","message":"The limit .{0,4}Messages per recipient/s;

const typedSettings = ({ settings: { password, baseUrl } }: Service) => ({ password, baseUrl });

/** Does everything that sends a request to the service. */
async function tryAll(
  app: App,
  { sandbox }: Service,
  [clicked, alone]: [string, string],
  typed: Typed = {},
): Promise<string> {
  const read = [
    await app.send({ to: clicked, body }),
    await app.recordingsOf({ phone: caller }),
    await app.testConnection(typed),
  ];
  await app.sendUnattended({ to: alone, body });
  const ended = async () => (await app.log()) + sandbox.messages.map((one) => one.to).join();
  return [...read, await eventually(ended, alone), ...Object.values(await app.everything())].join(
    '\n',
  );
}

/** Responds with the credentials of the request, in all places that an app could show. */
function echo({ headers: { authorization = '' } }: IncomingMessage, answer: ServerResponse) {
  const credentials = Buffer.from(authorization.slice(6), 'base64').toString();
  const [, secret = ''] = credentials.split(/:(.*)/s);
  const texts = [authorization, credentials, secret, encodeURIComponent(secret)];
  answer.writeHead(400, `Not for ${encodeURIComponent(credentials)}`, {
    'content-type': 'application/json',
    'twilio-request-id': encodeURIComponent(credentials),
    'retry-after': authorization,
    'www-authenticate': authorization,
    'set-cookie': `credentials=${encodeURIComponent(credentials)}`,
  });
  const message = texts.join(' ');
  answer.end(
    JSON.stringify({ code: 21211, message, detail: message, more_info: message, title: message }),
  );
}

const audioPath = /\/Recordings\/RE\w+(\.\w+)?$/;

export const promises: Record<string, Case[]> = {
  'never acts twice': [
    { name: 'two clicks send one message', ...clicked(2, '+12025550200', '+12025550201') },
    { name: 'five fast clicks send one message', ...clicked(5, '+12025550202', '+12025550203') },
    {
      name: 'an SMS whose response is lost is found in the message log and shown as sent',
      faults: [{ name: 'reset-after', method: 'POST' }],
      tried: typed('+12025550204'),
      reached: ['+12025550204'],
      reads: sent('+12025550204'),
    },
    {
      name: 'an SMS whose response is lost is shown as unknown if there is no message log, and is not sent again',
      faults: [{ name: 'reset-after', method: 'POST' }, shownNowhere],
      tried: typed('+12025550207'),
      reached: ['+12025550207'],
      reads: unknown,
    },
    {
      name: 'an SMS that the service first rejects for its rate limit is sent once',
      faults: [{ name: 'rate-limited', method: 'POST' }],
      tried: typed('+12025550205'),
      reached: ['+12025550205'],
      reads: sent('+12025550205'),
    },
    {
      name: 'a person in two rows is texted once',
      without: noBatches,
      tried: async (app) => texted(await forEachRow.of(app).text({})),
      reached: everyone,
    },
    {
      name: 'a finished batch that is pressed again sends to no one, unless someone includes its rows',
      without: noBatches,
      tried: async (app) => {
        const said = await texted(await forEachRow.of(app).text({}));
        const { question } = await forEachRow.of(app).text({ skipsSent: true });
        return `${said}\n${question}`;
      },
      reached: everyone,
      reads: /24 sent.*\n(?=.*Nothing is left to send).*This was already sent to 24 of these rows/s,
    },
    {
      name: 'two tabs with the same preview start one batch',
      without: noBatches,
      tried: async (app) => {
        const first = await forEachRow.of(app).text({});
        const second = await forEachRow.of(app).text({});
        await first.start();
        const said = await first.result();
        await second.start();
        return `${said}\n${await eventually(second.shown, 'last batch started')}`;
      },
      reached: everyone,
      reads: /24 sent.*\n.*last batch started/s,
    },
    {
      name: 'a stopped batch sends no more, and the next press sends to the rest only',
      without: noBatches,
      tried: async (app, service) => {
        const run = await forEachRow.of(app).text({});
        const gate = holdAfter(2, service);
        await run.start();
        await gate.holds(1);
        await run.stop();
        await gate.open();
        const stopped = `${await run.result()}\nreached ${service.sandbox.messages.length}`;
        return `${stopped}\n${await texted(await forEachRow.of(app).text({}))}`;
      },
      reached: everyone,
      reads: /\b(\d+) sent\b.*\b\d+ not run\b.*\nreached \1\n.*Skipping \1 rows?: already sent/s,
    },
  ],
  'sends no more than the limits of the settings allow': [
    {
      name: 'a limit of two refuses the third message to a recipient, and says which limit it is and when it ends',
      without: noLimits,
      tried: within({ perRecipientPerHour: '2' }, async (app) => {
        const to = '+12025550250';
        await app.send({ to, body: 'One' });
        await app.send({ to, body: 'Two' });
        return app.send({ to, body: 'Three' });
      }),
      reached: ['+12025550250', '+12025550250'],
      reads:
        /Messages per recipient\W+\(2 an hour\) is reached\. Nothing was sent\. You can send again at 20\d\d-/,
    },
    {
      name: 'two of five messages are sent if a limit of two allows no more, also at the same moment',
      without: noLimits,
      tried: within({ perRecipientPerHour: '2' }, async (app, { sandbox }) => {
        const to = '+12025550251';
        const bodies = ['One', 'Two', 'Three', 'Four', 'Five'];
        await Promise.all(bodies.map((body) => app.sendUnattended({ to, body })));
        await until(() => sandbox.messages.length === 2);
        return app.send({ to, body: 'Six' });
      }),
      reached: ['+12025550251', '+12025550251'],
      reads: /Messages per recipient\W+\(2 an hour\) is reached/,
    },
    {
      name: 'a limit that refuses something starts what waits for that, once, and says what it refused',
      without: noLimits,
      tried: within({ perRecipientPerHour: '3' }, async (app) => {
        const to = '+12025550253';
        for (let count = 1; count <= 5; count += 1) await app.send({ to, body: `No. ${count}` });
        // Some apps keep the record as JSON within JSON.
        const read = async () => (await app.limitsReached?.())?.replaceAll(/\\+"/g, '"') ?? '';
        await eventually(read, '"most":3');
        await app.send({ to, body: 'No. 6' });
        return read();
      }),
      reached: Array.from({ length: 3 }, () => '+12025550253'),
      reads: isOneRefusal,
    },
    {
      name: '“Stop sending” refuses everything at once',
      without: noLimits,
      tried: within({ stopped: true }, (app) => app.send({ to: '+12025550252', body })),
      reads: /Stop sending\W+ is on\. Nothing was sent/,
    },
    {
      name: '“Stop sending” ends a running batch, and the next press sends to the rest only',
      without: noBatches,
      tried: async (app, service) => {
        const run = await forEachRow.of(app).text({});
        const gate = holdAfter(2, service);
        await run.start();
        await gate.holds(1);
        const stopped = await within({ stopped: true }, async () => {
          await gate.open();
          return `${await run.result()}\nreached ${service.sandbox.messages.length}`;
        })(app, service);
        return `${stopped}\n${await texted(await forEachRow.of(app).text({}))}`;
      },
      reached: everyone,
      reads: /\b(\d+) sent\b.*\b\d+ not run\b.*\nreached \1\n.*Skipping \1 rows?: already sent/s,
    },
  ],
  'selects only the rows on the page': [
    {
      name: 'sends nothing before someone confirms the preview',
      without: noBatches,
      tried: async (app) => (await forEachRow.of(app).text({})).question,
      sendsNothing: true,
      reads: /Send 24 SMS/,
    },
    {
      name: 'selects the one row that the page shows',
      without: noBatches,
      tried: async (app) => texted(await forEachRow.of(app).text({ name: one.name })),
      reached: [one.phone],
      reads: /1 sent/,
    },
    {
      name: 'selects the one row that the page shows, even if the browser sends no referrer',
      without: {
        ...noBatches,
        'node-red': 'rows come in a message, not from a page',
        ...noTables,
        tiny: noBrowser,
      },
      tried: async (app) =>
        texted(await forEachRow.of(app).text({ name: one.name, sendsNoReferer: true })),
      reached: [one.phone],
      reads: /1 sent/,
    },
  ],
  'never loses anything silently': [
    {
      name: 'a failure that no one sees is logged with its recipient',
      without: { ...notOfPlugin, ...allAnswered },
      tried: unattended('+15005550002'),
      reads: /\+15005550002.*\(21612\)|\(21612\).*\+15005550002/,
    },
    {
      name: 'an unknown outcome that no one sees is logged with its recipient',
      without: { ...notOfPlugin, ...allAnswered },
      faults: [{ name: 'reset-after', method: 'POST' }, shownNowhere],
      tried: unattended('+12025550206'),
      reached: ['+12025550206'],
      reads: new RegExp(`\\+12025550206.*${unknown.source}|${unknown.source}.*\\+12025550206`),
    },
    {
      name: 'a batch interrupted by a restart reports sent and unknown rows, and does not resume by itself',
      without: { ...noBatches, gateway: 'its own tests kill its processes' },
      tried: async (app, service) => {
        const { sandbox } = service;
        const run = await forEachRow.of(app).text({});
        // The service stores some messages without answering in time.
        sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 600_000, times: 3 });
        const gate = holdAfter(8, service);
        await run.start();
        await gate.holds(1);
        await until(() => sandbox.messages.length === 8);
        await forEachRow.of(app).restart();
        const said = await run.result();
        const { question } = await forEachRow.of(app).text({});
        return `${said}\n${sandbox.messages.length} reached\n${question}`;
      },
      reachesSome: true,
      restarts: true,
      reads:
        /stopped during this batch.*\b\d+ unknown.*\n8 reached\n.*last batch started.*\b\d+ unknown/s,
    },
  ],
  'shows only the matching records': [
    { name: 'a caller’s recordings and no others', tried: list(caller), shows: recordingsOfCaller },
    {
      name: 'a caller’s recordings, by a number in another spelling',
      tried: list('+1 (202) 555-0143'),
      shows: recordingsOfCaller,
    },
    {
      name: 'a caller’s recordings, on a service that supports the filter',
      tried: (app, { sandbox }) => {
        sandbox.settings.ignoreRecordingsFrom = false;
        return app.recordingsOf({ phone: caller });
      },
      shows: recordingsOfCaller,
    },
    { name: 'nothing for an unknown caller', tried: list('+12025559999'), shows: () => [] },
  ],
  'makes no number another one': [
    {
      name: 'a number with the decimals of a spreadsheet reaches its owner',
      tried: (app) => app.sendTo({ phone: "'+12025550240.0" }),
      reached: ['+12025550240'],
    },
    {
      name: 'a pasted number with invisible characters and other signs reaches its owner',
      tried: (app) => app.sendTo({ phone: 'tel:+44\u200b (0)20\u221279460000' }),
      reached: ['+442079460000'],
    },
    {
      name: 'two numbers in one cell reach no one',
      tried: (app) => app.sendTo({ phone: '+12025550241 / +12025550242' }),
      reached: [],
      reads: /which is not one phone number/,
    },
    {
      name: 'a number that a spreadsheet shortened reaches no one',
      tried: (app) => app.sendTo({ phone: '1.20256E+10' }),
      reached: [],
      reads: /which a spreadsheet has shortened/,
    },
    {
      name: 'a list filtered by a number from a spreadsheet shows its owner’s recordings',
      tried: list('+12025550143.0'),
      shows: recordingsOfCaller,
    },
  ],
  'treats a missing value as no match, never as all': [
    {
      name: 'a list bound to a missing value shows no records, however it is bound',
      tried: async ({ boundToNothing }) => {
        const shown: string[] = [];
        for (const [way, show] of Object.entries(boundToNothing))
          shown.push(`${way}: ${await show()}`);
        return `${shown.length} ways\n${shown.join('\n')}`;
      },
      ...noOne,
      reads: /^[1-9]\d* ways/,
    },
    ...vagueFilters.map(
      (filter): Case => ({
        name: `a row filter that ${filter} selects no one`,
        without: { ...noBatches, ...noTables },
        tried: async (app) => (await forEachRow.of(app).textWhere(filter)).question,
        sendsNothing: true,
        reads: /nothing was (done|sent)/i,
      }),
    ),
    ...missing.flatMap(([what, values]): Case[] => [
      {
        name: `a filter whose value ${what} shows no records`,
        ...(what === 'is empty' && {
          without: {
            saltcorn: 'the list of a view requests all records if its formula returns a blank text',
          },
        }),
        tried: (app) => app.recordingsOf(values),
        ...noOne,
      },
      {
        name: `a recipient that ${what} gets no message`,
        tried: (app) => app.sendTo(values),
        reached: [],
        reads: /To/,
      },
    ]),
  ],
  'never exposes a secret': [
    {
      name: 'in pages, exports, files and logs in normal use',
      tried: (app, service) => tryAll(app, service, ['+12025550210', '+12025550219']),
      reached: ['+12025550210', '+12025550219'],
    },
    {
      name: 'if the password is wrong',
      tried: async (app, service) => {
        const said = await app.saveSettings({ password: wrongPassword });
        const read = await tryAll(app, service, ['+12025550211', '+12025550218'], {
          password: wrongPassword,
        });
        await app.saveSettings(typedSettings(service));
        return said + read;
      },
      reads: /rejected the credentials/,
    },
    {
      name: 'if the service cannot be reached',
      tried: async (app, service) => {
        await service.proxy.stop();
        try {
          return await tryAll(app, service, ['+12025550212', '+12025550217']);
        } finally {
          await service.proxy.open();
        }
      },
      reads: /ECONNREFUSED/,
    },
    {
      name: 'if the service echoes it',
      tried: async (app, service) => {
        let echoes = 0;
        service.proxy.handler = (from, to) => {
          echoes += 1;
          echo(from, to);
        };
        const read = await tryAll(app, service, ['+12025550213', '+12025550216']);
        return `The service echoed it ${echoes} times.\n${read}`;
      },
      reads: /^The service echoed it [1-9]/,
    },
  ],
  'lets a user without rights do nothing': [
    {
      name: 'send no SMS',
      without: notOfPlugin,
      tried: ({ stranger }) => stranger.send({ to: '+12025550220', body }),
      sendsNothing: true,
    },
    {
      name: 'see no list',
      without: notOfPlugin,
      tried: ({ stranger }) => stranger.recordings(),
      shows: () => [],
      sendsNothing: true,
    },
    {
      name: 'play no recording',
      without: notOfPlugin,
      tried: ({ stranger }, { sandbox }) => stranger.listen(sandbox.recordings[0]?.sid ?? ''),
      sendsNothing: true,
    },
    {
      name: 'test no connection',
      without: { ...notOfPlugin, gateway: 'only its command line tests the connection' },
      tried: ({ stranger }) => stranger.testConnection(),
      sendsNothing: true,
    },
  ],
  'treats text as text': [
    {
      name: 'code in any field of any record never runs on a page',
      without: { tiny: noBrowser, budibase: noBrowser, tooljet: noBrowser, gateway: noBrowser },
      tried: async (app, { sandbox: { calls, recordings } }) => {
        makeHostile(calls, ['sid']);
        makeHostile(recordings, ['sid', 'call_sid']);
        const watch = await watchForHostility(app.page);
        const found: string[] = [];
        let pages = 0;
        for await (const place of app.openPages()) {
          pages += 1;
          found.push(...(await watch.found()).map((code) => `${place}: ${code}`));
        }
        return JSON.stringify({ pages, found, ran: watch.ran });
      },
      reads: /^\{"pages":([3-9]|\d\d),"found":\[\],"ran":\[\]\}$/,
    },
    {
      name: 'code that the service sends instead of audio never runs',
      without: { tiny: noBrowser, budibase: noBrowser, tooljet: noBrowser, gateway: noBrowser },
      tried: async (app, { proxy, sandbox }) => {
        const code = '<svg xmlns="http://www.w3.org/2000/svg"><script>hostile()</script></svg>';
        const ran: string[] = [];
        const types = ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml'];
        for (const type of types) {
          proxy.handler = (from, to, forward) =>
            audioPath.test(from.url ?? '')
              ? to.setHeader('content-type', type).end(code)
              : forward();
          const page = await app.page.context().newPage();
          await page.exposeFunction('hostile', () => ran.push(type));
          await page.goto(app.audioUrl(sandbox.recordings[0]?.sid ?? '')).catch(() => {});
          await page.close();
        }
        return JSON.stringify(ran);
      },
      reads: /^\[\]$/,
    },
  ],
  'sends credentials only to their host': [
    {
      name: 'a connection test of another host does not use the stored password',
      without: keepsPassword,
      tried: (app, { elsewhere }) => app.testConnection({ baseUrl: elsewhere.url }),
      reads: /sent nowhere else/,
      sendsNothing: true,
    },
    {
      name: 'settings with another host do not keep the stored password',
      without: keepsPassword,
      tried: async (app, service) => {
        const said = await app.saveSettings({ baseUrl: service.elsewhere.url });
        const read = await app.recordingsOf({ phone: caller });
        await app.saveSettings(typedSettings(service));
        return said + read;
      },
      reads: /sent nowhere else/,
    },
    {
      name: 'a redirect or next page on another host gets no credentials',
      tried: async (app, service) => {
        const { proxy, elsewhere } = service;
        proxy.handler = (from, to) =>
          from.method === 'GET' && from.url?.includes('.json')
            ? to.end(JSON.stringify({ calls: [], recordings: [], next_page_uri: elsewhere.url }))
            : to.writeHead(307, { location: elsewhere.url + from.url }).end();
        return tryAll(app, service, ['+12025550231', '+12025550232']);
      },
    },
  ],
};
