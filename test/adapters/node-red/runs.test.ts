import { once } from 'node:events';
import { type Run, Runs } from '../../../plugin/node-red/node/runs.ts';

/** Longer than any test. */
const ages = 1_000_000;

/** Starts work that a test ends. */
function start(runs: Runs) {
  let end = () => {};
  let signals: Run | undefined;
  runs.start((run) => {
    signals = run;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  if (!signals) throw new Error('It did not start.');
  return { ...signals, finish: () => end() };
}

const signalsOf = ({ stop, end }: Run) => ({ stop: stop.aborted, end: end.aborted });
const nothing = { stop: false, end: false };
const toStop = { stop: true, end: false };
const toEnd = { stop: true, end: true };

test('stopping aborts runs in progress, not ended or later ones', async () => {
  const runs = new Runs();
  const [ended, ...running] = [start(runs), start(runs), start(runs)];
  ended?.finish();
  await new Promise(setImmediate);
  runs.stop();
  const later = start(runs);
  expect(ended && signalsOf(ended)).toEqual(nothing);
  expect(running.map(signalsOf)).toEqual([toStop, toStop]);
  expect(signalsOf(later)).toEqual(nothing);
  expect(runs.isClosing).toBe(false);
});

test('closing stops runs in progress and later ones, and waits for them to end', async () => {
  const runs = new Runs();
  const first = start(runs);
  const second = start(runs);
  let isClosed = false;
  const closing = runs.close(ages).then(() => {
    isClosed = true;
  });
  expect([runs.isClosing, signalsOf(first), signalsOf(second)]).toEqual([true, toStop, toStop]);
  expect(signalsOf(start(runs))).toEqual(toStop);
  first.finish();
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  second.finish();
  await closing;
  expect([signalsOf(first), signalsOf(second)]).toEqual([toStop, toStop]);
});

test('a run that exceeds the closing time is aborted', async () => {
  const runs = new Runs();
  const quick = start(runs);
  const slow = start(runs);
  const closing = runs.close(1);
  quick.finish();
  await once(slow.end, 'abort');
  slow.finish();
  await closing;
  expect([signalsOf(quick), signalsOf(slow)]).toEqual([toStop, toEnd]);
});

test('closing does not wait if nothing is running', async () => {
  const runs = new Runs();
  start(runs).finish();
  await runs.close(ages);
  expect(runs.isClosing).toBe(true);
});
