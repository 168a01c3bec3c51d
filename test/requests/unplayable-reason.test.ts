import { recordShape, unplayableReason } from '../../src/builder.ts';

const later = "This recording isn't ready yet. Reload the list later.";
const none = 'This recording has no audio: it is empty or was deleted.';

const { options = [] } = recordShape('recording').fields.find(({ key }) => key === 'status') ?? {};

test('says why a recording has no audio, in each of its statuses', () => {
  expect(options.map((status) => [status, unplayableReason('recording', { status })])).toEqual([
    ['queued', later],
    ['in-progress', later],
    ['paused', later],
    ['resumed', later],
    ['stopped', later],
    ['processing', later],
    ['completed', undefined],
    ['absent', none],
    ['deleted', none],
  ]);
});

test.each([null, undefined, 'new-status'])('plays a recording of the status %s', (status) => {
  expect(unplayableReason('recording', { status })).toBeUndefined();
});
