import { notify } from '../../src/async/notify.ts';

const fail = () => {
  throw new Error('The disk is full.');
};

const listeners: [name: string, listener: ((value: string) => unknown) | null | undefined][] = [
  ['that throws', fail],
  ['whose promise is rejected', async () => fail()],
  [
    'that returns an object that can not be awaited',
    () => Object.defineProperty({}, 'then', { get: fail }),
  ],
  ['that is null', null],
  ['that is missing', undefined],
];

test.each(listeners)('a listener %s stops nothing', async (_, listener) => {
  const unhandled: unknown[] = [];
  const record = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', record);
  notify(listener, 'x');
  // Node reports unhandled rejections before the next task.
  await new Promise(setImmediate);
  process.off('unhandledRejection', record);
  expect(unhandled).toEqual([]);
});

test('a listener gets the value at once', () => {
  const values: string[] = [];
  notify((value: string) => values.push(value), 'x');
  expect(values).toEqual(['x']);
});
