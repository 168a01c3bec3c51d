import { memoryDeliveryLog } from '../../src/builder.ts';
import { noteOf, remembersEvents } from './memory.ts';

describe('a delivery log in memory', () => {
  remembersEvents(memoryDeliveryLog);

  test('forgets the oldest events beyond its capacity', async () => {
    const memory = memoryDeliveryLog(3);
    for (const sid of ['SM1', 'SM2', 'SM3', 'SM4']) await memory.begin(noteOf(sid, 6));
    for (const sid of ['SM2', 'SM3', 'SM4'])
      expect(await memory.begin(noteOf(sid, 6))).toBe('in-progress');
    // Neither its key, nor its signature, nor its step is known any longer.
    expect(await memory.begin(noteOf('SM1', 4))).toBe('new');
  });
});
