import customers from '../../../demo/customers.json';
import type { Call } from '../../../demo/sandbox/index.ts';
import { type Host, type Loose, startSaltcorn } from '../host.ts';
import { installDesk } from '../installed-desk.ts';
import { startWebsite, type Visitor } from '../website.ts';

let host: Host;
let visitor: Visitor;
beforeAll(async () => {
  host = await startSaltcorn();
  await installDesk();
  visitor = await (await startWebsite()).user();
});

async function open(path: string): Promise<Loose> {
  return new (require('jsdom').JSDOM)(await visitor.get(path)).window.document;
}

/** The texts of a list's columns. */
async function columnsOf(path: string, labels: string[]): Promise<string[][]> {
  const page = await open(path);
  const texts = (selector: string, part: Loose): string[] =>
    [...part.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
  const places = labels.map((label) => texts('th', page).indexOf(label));
  return [...page.querySelectorAll('tbody tr')].map((row) => {
    const cells = texts('td', row);
    return places.map((place) => cells[place] ?? 'no such column');
  });
}

const nameOf = (number: string) =>
  customers.find(({ phone }) => phone.replaceAll(' ', '') === number)?.name ?? '';
const parties = ({ from, to }: Call) => [from, nameOf(from) + nameOf(to), to];

/** The calls of the newest recordings. */
const recordedCalls = () =>
  host.sandbox.recordings
    .slice(0, 20)
    .flatMap(({ call_sid }) => host.sandbox.calls.filter(({ sid }) => sid === call_sid));

test.each<[list: string, calls: () => Call[]]>([
  ['List of calls', () => host.sandbox.calls.slice(0, 20)],
  ['List of account calls', () => host.sandbox.calls.slice(0, 20)],
  ['List of recordings', recordedCalls],
])('%s shows the customer of incoming and outgoing calls', async (list, calls) => {
  const path = `/view/${encodeURIComponent(list)}`;
  const shown = calls().map(parties);
  const ofCustomers = calls().filter(({ from, to }) => nameOf(from) || nameOf(to));
  expect(new Set(ofCustomers.map(({ direction }) => direction)).size).toBeGreaterThan(1);
  expect(await columnsOf(path, ['From', 'Customer', 'To'])).toEqual(shown);
});

test('the page of a call shows the customer of an incoming or outgoing call', async () => {
  for (const direction of ['inbound', 'outbound-api']) {
    const call = host.sandbox.calls.find(
      (one) => one.direction === direction && parties(one)[1] !== '',
    );
    const page = await open(`/view/Call?sid=${call?.sid}`);
    const texts = [...page.querySelectorAll('.mb-2')].map(({ textContent }) => textContent);
    expect(texts).toContain(`Customer${call && parties(call)[1]}`);
  }
});
