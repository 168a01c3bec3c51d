import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { batchMessages } from '../../../plugin/node-red/batch/batch-message.ts';
import { textKey } from '../../../plugin/node-red/locale/text-key.ts';
import { batchView, definitions, type RowItem } from '../../../src/builder.ts';
import { root } from '../../support/root.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Translates as Node-RED's server does, by the keys of a catalogue. */
function translateTo(language: string) {
  const texts = ['translations', 'translations/sentences'].flatMap((folder) =>
    Object.entries(read(`${folder}/${language}.json`)),
  );
  const byKey = new Map(texts.map(([english, text]) => [textKey(english), text]));
  return (key: string, { defaultValue }: { defaultValue: string }) =>
    byKey.get(key) ?? defaultValue;
}

const values = { from: '+14155550100', to: '+12025550101', body: 'Hello' };
const items: RowItem[] = [
  { who: 'Ada', outcome: 'waiting', values, row: '["",""]' },
  { who: 'Bob', outcome: 'already-done' },
  { who: 'Cid', outcome: 'already-done', isChanged: true },
];

test('the preview of a batch is in the language of the server', () => {
  const batch = {
    ...{ key: 'K1', owner: 'node', actionId: send.id, button: 'B', context: {} },
    ...{ state: 'preview' as const, items },
  };
  const RED = { _: translateTo('de-DE'), util: { cloneMessage: (message: object) => message } };
  const source = { RED, config: { rowKey: 'id' } };
  const [message] = batchMessages(source as never, send, {}, batch, batchView(send, batch));
  expect(message?.payload).toMatchObject({
    label: '1 SMS senden',
    text: [
      'Ein früherer Stapel hat innerhalb des letzten Tages 1 dieser Zeilen einen anderen Text gesendet. Sie werden übersprungen. Um sie einzuschließen, senden Sie die Zeilen erneut und setzen Sie dabei msg.skipChanged auf false.',
      'SMS senden für 1 Zeile: Ada',
      'Erste Nachricht: Von „+14155550100“, An „+12025550101“, Text „Hello“',
      'Kosten: 1 SMS-Segment an 1 Person. Land: US. Absender: +14155550100.',
      '1 Zeile wird übersprungen: schon gesendet.',
      '1 Zeile hat kein „id“ (Zeilenschlüssel), deshalb erkennt das Plugin sie am Empfänger.',
    ].join('\n'),
    counts: { sent: 0, skipped: 2, waiting: 1 },
  });
});
