import { once } from 'node:events';
import { type Run, Runs } from '../../../plugin/node-red/node/runs.ts';

/** Longer than any test, in milliseconds. */
const ages = 1_000_000;

/** Begins work that comes to its end when it is told to. */
function begin(runs: Runs) {
  let end = () => {};
  let signals: Run | undefined;
  runs.begin((run) => {
    signals = run;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  if (!signals) throw new Error('It did not begin.');
  return { ...signals, finish: () => end() };
}

const told = ({ stop, end }: Run) => ({ stop: stop.aborted, end: end.aborted });
const nothing = { stop: false, end: false };
const toStop = { stop: true, end: false };
const toEnd = { stop: true, end: true };

test('stopping aborts runs in progress, not ended or later ones', async () => {
  const runs = new Runs();
  const [ended, ...underWay] = [begin(runs), begin(runs), begin(runs)];
  ended?.finish();
  await new Promise(setImmediate);
  runs.stop();
  const later = begin(runs);
  expect(ended && told(ended)).toEqual(nothing);
  expect(underWay.map(told)).toEqual([toStop, toStop]);
  expect(told(later)).toEqual(nothing);
  expect(runs.isClosing).toBe(false);
});

test('closing stops runs in progress and later ones, and waits for them to end', async () => {
  const runs = new Runs();
  const first = begin(runs);
  const second = begin(runs);
  let isClosed = false;
  const closing = runs.close(ages).then(() => {
    isClosed = true;
  });
  expect([runs.isClosing, told(first), told(second)]).toEqual([true, toStop, toStop]);
  expect(told(begin(runs))).toEqual(toStop);
  first.finish();
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  second.finish();
  await closing;
  expect([told(first), told(second)]).toEqual([toStop, toStop]);
});

test('a run that exceeds the closing time is aborted', async () => {
  const runs = new Runs();
  const quick = begin(runs);
  const slow = begin(runs);
  const closing = runs.close(1);
  quick.finish();
  await once(slow.end, 'abort');
  slow.finish();
  await closing;
  expect([told(quick), told(slow)]).toEqual([toStop, toEnd]);
});

test('closing does not wait if nothing is running', async () => {
  const runs = new Runs();
  begin(runs).finish();
  await runs.close(ages);
  expect(runs.isClosing).toBe(true);
});
