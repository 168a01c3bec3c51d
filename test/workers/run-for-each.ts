import type { Visitor } from './visitor.ts';

/** The customers of a pack, and the button that texts each of them. */
export const customers = Array.from({ length: 6 }, (_, index) => ({
  name: `Customer ${index}`,
  phone: `+1202555012${index}`,
}));

/**
 * Presses the button through one worker, says what the page shows to the other, and begins through both at once, twice.
 *
 * @returns what both show of it when it has ended
 */
export async function runForEach(boss: Visitor, one: number, other: number): Promise<string[]> {
  const { text } = await boss.post(one, '/page/buttons/action/all', {});
  const [, run = ''] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(text) ?? [];
  const asked = await boss.post(other, `${run}/rows`, {});
  expect(JSON.parse(asked.text)).toEqual({ popup: run });
  await Promise.all(
    [one, other, other, one].map((worker) => boss.post(worker, `${run}/start`, {})),
  );
  const ended = async (worker: number) => {
    for (;;) {
      const part = await boss.get(worker, `${run}/part`);
      if (!part.text.includes('<progress')) return part.text;
    }
  };
  return Promise.all([one, other].map(ended));
}
