import {
  actionOf,
  Batches,
  batchPage,
  batchView,
  memoryStore,
  planRow,
  type RowItem,
  sentence,
  setSettingsLocation,
} from '../../src/builder.ts';
import { sayAs } from '../support/translations.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();
beforeAll(() => setSettingsLocation(sentence("the plugin's settings")));

const send = actionOf('send-sms');
const sms = { from: '+12025550100', to: '+12025550143', body: 'Hi' };

const now: ServiceAnswer = { status: 200, body: {}, headers: { date: new Date(0).toUTCString() } };

const planned = (input: object): RowItem =>
  planRow(send, {
    ...{ row: ['people', 1], name: 'Ada', filled: ['to'] },
    input: () => ({ ...sms, ...input }),
  });

/** Runs a batch of one row, and reads what its owner sees of it, as another process would. */
async function ended(item: RowItem, answers: ServiceAnswer[]) {
  answerWith(answers);
  const store = memoryStore();
  const batches = new Batches<undefined>(store);
  const press = { owner: 'Bob', actionId: send.id, button: 'B', context: undefined };
  const { key } = await batches.openPreview(press, { items: [item] });
  let end = () => {};
  const hasEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = { action: send, open: async () => telephony(), report: () => {}, ended: end };
  // A batch without rows to send stays a preview.
  if (await batches.start(key, 'Bob', work)) await hasEnded;
  return new Batches<undefined>(store).open(key, 'Bob');
}

const cases: [
  what: string,
  input: object,
  answers: ServiceAnswer[],
  english: string,
  german: string,
  chinese: string,
][] = [
  [
    'an input that is missing',
    { body: '' },
    [],
    '"Body" is missing: the text of the message, up to 1,600 characters.',
    '„Text“ fehlt: Der Text der Nachricht, höchstens 1.600 Zeichen.',
    '“内容”缺失：消息文本，最多 1,600 个字符。',
  ],
  [
    'a refusal',
    {},
    [now, { status: 400, body: { code: 21610, message: 'Unsubscribed' } }],
    'The recipient unsubscribed by replying STOP. They can subscribe again by replying START. The service said: Unsubscribed (21610)',
    'Der Empfänger hat sich mit STOP abgemeldet. Mit START kann er sich wieder anmelden. Meldung des Dienstes: Unsubscribed (21610)',
    '接收方已回复 STOP 退订。对方可回复 START 重新订阅。服务的消息：Unsubscribed（21610）',
  ],
];

describe.each(cases)('the reason of a row: %s', (_, input, answers, english, german, chinese) => {
  const languages: [language: string, text: string][] = [
    ['', english],
    ['de-DE', german],
    ['zh-CN', chinese],
  ];

  test('is in the language of its owner in the problems and the rows', async () => {
    const batch = await ended(planned(input), answers);
    for (const [language, text] of languages) {
      const say = await sayAs(language);
      const [problem] = batchView(send, batch, {}, say).problems;
      const [row] = batchPage(send, batch.items, {}, say).shown;
      expect([language, problem?.message, row?.reason]).toEqual([language, text, text]);
    }
  });
});

const repeated: [what: string, item: RowItem, german: string][] = [
  [
    'a text of an earlier version',
    { who: 'Ada', outcome: 'failed', message: 'No number.' },
    'No number.',
  ],
  ['nothing', { who: 'Ada', outcome: 'not-run' }, ''],
];
test.each(repeated)('the reason of a row that stores %s is shown', async (_, item, german) => {
  const say = await sayAs('de-DE');
  const { shown } = batchPage(send, [item], {}, say);
  expect(shown).toMatchObject([{ reason: german }]);
});

test('rows of an earlier version have the same problem as others with the same English reason', () => {
  const text = 'The service reports the status "{value}".';
  const said = { text, values: { value: 'failed' } };
  const items: RowItem[] = ['The service reports the status "failed".', said].map((message) => ({
    ...{ who: 'Ada', outcome: 'failed', message },
  }));
  const batch = { key: 'K', owner: 'Bob', actionId: send.id, button: 'B', context: {} };
  expect(batchView(send, { ...batch, state: 'ended', items }).problems).toEqual([
    { outcome: 'failed', message: 'The service reports the status "failed".', who: ['Ada', 'Ada'] },
  ]);
});
