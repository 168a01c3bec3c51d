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
 * Closes a resource even if tests fail, so that jest can end: after the test that opened it, or after the file if a hook
 * opened it. The last opened is closed first.
 */
export function closeAfterwards<T extends Closable>(resource: T): T {
  // The test that opened it has timed out.
  if (isOver) void resource.close();
  else opened.push(resource);
  return resource;
}
