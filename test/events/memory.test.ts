import { eventMemory } from '../../src/index.ts';
import { noteOf, remembersEvents } from './memory.ts';

describe('a delivery log in memory', () => {
  remembersEvents(eventMemory);

  test('forgets the oldest events beyond its capacity', async () => {
    const memory = eventMemory(3);
    for (const sid of ['SM1', 'SM2', 'SM3', 'SM4']) memory.note(noteOf(sid, 6));
    for (const sid of ['SM2', 'SM3', 'SM4']) expect(memory.note(noteOf(sid, 6))).toBe('under-way');
    // Neither its key, nor its signature, nor its step is known any longer.
    expect(memory.note(noteOf('SM1', 4))).toBe('new');
  });

  test('stays within its capacity in memory, too', () => {
    const memory = eventMemory(100);
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 100_000; index += 1) {
      memory.note(noteOf(`SM${index}`, 4));
      memory.note(noteOf(`SM${index}`, 6));
    }
    // A hundred thousand events would be more than thirty megabytes.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
    expect(memory.note(noteOf('SM99999', 6))).toBe('under-way');
    expect(memory.note(noteOf('SM1', 6))).toBe('new');
  });
});
