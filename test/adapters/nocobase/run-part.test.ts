import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunPart } from '../../../plugin/nocobase/client-v2/bulk/run-part.ts';
import {
  type Batch,
  batchPart,
  batchView,
  definitions,
  type RowItem,
  sayIn,
} from '../../../src/builder.ts';
import { root } from '../../support/root.ts';

/** An element, or an item of a list of Ant Design. */
interface Drawn {
  type: string;
  props: Record<string, unknown>;
  label: string;
  children: unknown;
}

jest.mock('antd', () => new Proxy({}, { get: (_, name) => name }), { virtual: true });
jest.mock(
  'react',
  () => ({
    createElement: (type: unknown, props: object | null, ...children: unknown[]) =>
      typeof type === 'function' ? type(props) : { type, props: { ...props }, children },
    useState: (first: unknown) => [first, () => {}],
    useEffect: () => {},
  }),
  { virtual: true },
);

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const texts: Record<string, string> = Object.assign(
  {},
  ...['translations', 'translations/sentences'].map((folder) =>
    JSON.parse(readFileSync(join(root, folder, 'de-DE.json'), 'utf8')),
  ),
);

/** The texts of a drawn part, in order; of an element of Ant Design also its name, kind and state. */
function textsOf(drawn: unknown): string[] {
  if (typeof drawn === 'string') return drawn === '' ? [] : [drawn];
  if (Array.isArray(drawn)) return drawn.flatMap(textsOf);
  if (typeof drawn !== 'object' || drawn === null) return [];
  const { type = '', props = {}, label, children }: Partial<Drawn> = drawn;
  const { message, action, description, items } = props;
  const state = [type, props.type, props.checked, props.percent].filter((one) => one !== undefined);
  return [
    ...(/^[A-Z]/.test(type) ? [state.join(' ')] : []),
    ...[message, action, description, items, label, children].flatMap(textsOf),
  ];
}

function drawn(state: Batch<object>['state'], items: RowItem[]): string[] {
  const batch = {
    ...{ key: 'K1', owner: '1', actionId: send.id, button: 'B', context: {} },
    ...{ state, items },
  };
  const run = batchView(send, batch, { batch: { ...batch, key: 'K0', startedAt: 0 } });
  const builder = { name: 'NocoBase', table: 'Kunden', toRepeat: () => ({ text: '' }) };
  return textsOf(
    RunPart({
      ...{ sections: batchPart(send, run, builder).sections, run, problem: '', isBusy: false },
      say: sayIn(
        (text) => texts[text] ?? text,
        () => '1.1.1970',
      ),
      ...{ see: () => {}, choose: () => {}, list: () => new Promise(() => {}) },
    }),
  );
}

const values = { from: '+14155550100', to: '+12025550101', body: 'Hallo' };

test('the preview of a batch is drawn in the language of the user', () => {
  const items: RowItem[] = [
    { who: 'Ada', outcome: 'waiting', values, isSentSingly: true },
    { who: 'Bob', outcome: 'already-done', isRepeated: true },
  ];
  expect(drawn('preview', items)).toEqual([
    'Alert warning',
    'Der letzte Stapel wurde am 1.1.1970 gestartet: 0 gesendet, 1 übersprungen, 1 wartend.',
    ...['Button', 'Stapel ansehen', 'Alert warning'],
    'Dies wurde schon an 1 dieser Zeilen gesendet.',
    ...['Checkbox true', 'Diese Zeilen überspringen', 'Alert warning'],
    'Eine Schaltfläche, ein Trigger, ein Workflow oder ein Flow hat innerhalb des letzten Tages 1 dieser Zeilen einen anderen Text gesendet.',
    ...['Checkbox false', 'Diese Zeilen überspringen'],
    ...['SMS senden für 1 Zeile von „Kunden“:', 'Ada', 'Erste Nachricht:', 'Descriptions'],
    ...['Von', '+14155550100', 'An', '+12025550101', 'Text', 'Hallo'],
    'Kosten: 1 SMS-Segment an 1 Person. Land: US. Absender: +14155550100.',
  ]);
});

test('the progress and the result of a batch are drawn in the language of the user', () => {
  const items: RowItem[] = [
    { who: 'Ada', outcome: 'done' },
    { who: 'Cid', outcome: 'failed', message: 'Keine Nummer.' },
  ];
  const counts = '1 gesendet, 1 fehlgeschlagen';
  expect(drawn('running', items)).toEqual([`2 von 2: ${counts}`, 'Progress 100']);
  expect(drawn('ended', items)).toEqual([
    ...['Alert error', `SMS senden: ${counts}.`, 'Cid: Keine Nummer.'],
    ...['Collapse', '1 Zeile gesendet', 'Ada'],
  ]);
});
