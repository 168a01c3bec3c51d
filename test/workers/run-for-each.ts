import type { Visitor } from './visitor.ts';

/** The customers of a pack, and the button that texts each of them. */
export const customers = Array.from({ length: 6 }, (_, index) => ({
  name: `Customer ${index}`,
  phone: `+1202555012${index}`,
}));

/** Presses the button in a tab, through one worker, and says what its page shows to another. */
async function askedIn(boss: Visitor, tab: string, one: number, other: number): Promise<string> {
  const { text } = await boss.post(one, '/page/buttons/action/all', {});
  const [, run = ''] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(text) ?? [];
  const asked = await boss.post(other, `${run}/rows`, { tab });
  expect(JSON.parse(asked.text)).toEqual({ popup: run });
  return run;
}

/**
 * Is asked about the same in two tabs, and begins it in both, through both workers at once.
 *
 * @returns what both workers show of each tab when all has ended
 */
export async function runInTwoTabs(boss: Visitor, one: number, other: number): Promise<string[][]> {
  const first = await askedIn(boss, 'first', one, other);
  const second = await askedIn(boss, 'second', other, one);
  await Promise.all(
    [one, other].flatMap((worker) =>
      [first, second].map((run) => boss.post(worker, `${run}/start`, {})),
    ),
  );
  const ended = async (worker: number, run: string) => {
    for (;;) {
      const part = await boss.get(worker, `${run}/part`);
      if (!part.text.includes('<progress')) return part.text;
    }
  };
  const inBoth = (run: string) => Promise.all([one, other].map((worker) => ended(worker, run)));
  return Promise.all([first, second].map(inBoth));
}
