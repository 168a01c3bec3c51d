interface Closable {
  close(): unknown;
}

const opened: Closable[] = [];
let countBefore = 0;
let isOver = false;

async function closeDownTo(count: number): Promise<void> {
  if (opened.length <= count) return;
  try {
    await opened.pop()?.close();
  } finally {
    await closeDownTo(count);
  }
}

beforeEach(() => {
  countBefore = opened.length;
});
afterEach(() => closeDownTo(countBefore));
afterAll(async () => {
  isOver = true;
  await closeDownTo(0);
});

/**
 * Closes something however the tests end, so that jest can end too: what a test opened after that test, and what was
 * opened for several after the file. What was opened last is closed first.
 */
export function closeAfterwards<T extends Closable>(one: T): T {
  // Whoever opened it was given up meanwhile.
  if (isOver) void one.close();
  else opened.push(one);
  return one;
}
