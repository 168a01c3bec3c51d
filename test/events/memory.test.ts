import { eventMemory } from '../../src/index.ts';
import { noteOf, remembersEvents } from './memory.ts';

describe('a delivery log in memory', () => {
  remembersEvents(eventMemory);

  test('forgets the oldest events beyond its capacity', async () => {
    const memory = eventMemory(3);
    for (const sid of ['SM1', 'SM2', 'SM3', 'SM4']) await memory.note(noteOf(sid, 6));
    for (const sid of ['SM2', 'SM3', 'SM4'])
      expect(await memory.note(noteOf(sid, 6))).toBe('under-way');
    // Neither its key, nor its signature, nor its step is known any longer.
    expect(await memory.note(noteOf('SM1', 4))).toBe('new');
  });
});
