import { randomUUID } from 'node:crypto';
import type { Item, Values } from 'n8n-workflow';
import { act, type Sending } from '../../../plugin/n8n/action/action.ts';
import { actionOf, connect, type Telephony } from '../../../src/builder.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { executeContext, newKept, type Run } from './execute-context.ts';

// The node waits for what other workers write at the same moment, which takes no time here.
jest.mock('node:timers/promises', () => {
  const timers = jest.requireActual('node:timers/promises');
  const setTimeout = (ms: number, ...given: unknown[]) => timers.setTimeout(ms / 30, ...given);
  return { ...timers, setTimeout };
});

const action = actionOf('send-sms');

async function openAccount() {
  const sandbox = await openSandbox();
  sandbox.messages.length = 0;
  const { username, password, url: baseUrl } = sandbox;
  const limits = { confirmTimeoutMs: 100 };
  const telephony = connect({ username, password, baseUrl, limits });
  const input = { from: '+14155550100', to: '+12025550123', body: 'Hello' };
  const attempt = (
    given: Run,
    item = 0,
    changed: object = {},
    sending?: Sending,
    more?: Parameters<typeof executeContext>[1],
  ): Promise<Item[]> =>
    act(executeContext(given, more), telephony, action, { ...input, ...changed }, item, sending);
  return { sandbox, attempt };
}

type Attempt = Awaited<ReturnType<typeof openAccount>>['attempt'];

const lost = [{ name: 'reset-after', method: 'POST' } as const, shownNowhere];
const unknown = { code: 'unknown-outcome' };

test('returns the record of an earlier attempt instead of sending again', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const first = await attempt({ kept });
  expect(await attempt({ kept })).toEqual(first);
  expect(await attempt({ kept, execution: 'a retry of 1' })).toEqual(first);
  expect(sandbox.messages.length).toBe(1);
});

test('sends for each item and each run of a loop', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  await attempt({ kept });
  await attempt({ kept }, 1, { body: 'Another' });
  await attempt({ kept, runIndex: 1 });
  expect(sandbox.messages.length).toBe(3);
});

/** What an item returns that equals the one which returned this. */
const asEqual = (first: Item[]) => [
  { json: { ...first[0]?.json, skipped: expect.stringContaining('equals an earlier item') } },
];

test('sends each of several equal items of a run if asked', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const sending = { sendsEqual: true };
  for (const item of [0, 1, 1]) await attempt({ kept }, item, {}, sending);
  expect(sandbox.messages.length).toBe(2);
});

describe('a key', () => {
  const sending = { oncePer: 'order 7' };
  const skipped = [
    { json: { skipped: expect.stringContaining('already sent with the key “order 7”') } },
  ];
  const openKey = {
    ...unknown,
    message: expect.stringContaining('may have sent with the key “order 7”'),
  };
  const executionOf = (kept: Run['kept'], execution: string): Run => ({
    kept: { ...kept, context: {} },
    ...{ execution, token: execution },
  });

  test('sends once in all executions, also with another text and at the same time', async () => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const send = (execution: string, body: string) =>
      attempt(executionOf(kept, execution), 0, { body }, sending);
    const ends = await Promise.all([send('1', 'Hello'), send('2', 'Hello again')]);
    expect(ends).toEqual([[{ json: expect.objectContaining({ status: 'queued' }) }], skipped]);
    expect(await send('3', 'Hello')).toEqual(skipped);
    await attempt(executionOf(kept, '4'), 0, {}, { oncePer: 'order 8' });
    await attempt(executionOf(kept, '5'));
    expect(sandbox.messages.length).toBe(3);
  });

  test('sends again after the service refused, and not after an unknown outcome', async () => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const send = (execution: string) => attempt(executionOf(kept, execution), 0, {}, sending);
    sandbox.faults.add({ name: 'missing', method: 'POST' });
    await expect(send('1')).rejects.toThrow();
    // The claim of the attempt.
    expect(kept.claims.size).toBe(1);
    for (const fault of lost) sandbox.faults.add(fault);
    await expect(send('2')).rejects.toMatchObject(unknown);
    sandbox.faults.clear();
    for (const execution of ['3', '4'])
      await expect(send(execution)).rejects.toMatchObject(openKey);
    expect(sandbox.messages.length).toBe(1);
  });

  test('sends one of many items at the same time, and skips the others', async () => {
    const { sandbox, attempt } = await openAccount();
    const run = executionOf(newKept(), '1');
    const bodies = Array.from({ length: 12 }, (_, item) => `Hello ${item}`);
    const ends = await Promise.all(
      bodies.map((body, item) =>
        attempt(run, item, { to: `+120255501${item + 10}`, body }, sending),
      ),
    );
    expect(ends.slice(1)).toEqual(bodies.slice(1).map(() => skipped));
    expect(sandbox.messages.map(({ body }) => body)).toEqual(['Hello 0']);
  });

  test('stays as one claim once n8n has stored the execution', async () => {
    const { attempt } = await openAccount();
    const kept = newKept();
    const run = { ...executionOf(kept, '1'), stored: () => run.kept.context };
    const items = [1, 2, 3, 4];
    await Promise.all(
      items.map((item) => attempt(run, item, {}, { oncePer: `${item}`, sendsEqual: true })),
    );
    await Promise.all(kept.ends.map((act) => act()));
    expect(kept.claims.size).toBe(items.length);
  });

  test.each([
    ['sent with it', 3, skipped],
    ['may have sent with it', 2, undefined],
  ])(
    'does not become unknown, or known, by a retry of an execution that %s',
    async (_, writes, end) => {
      const { attempt } = await openAccount();
      const kept = newKept();
      await crashAfter(writes, attempt, executionOf(kept, '1'));
      const before = [...kept.claims];
      const retry = { ...executionOf(kept, '2'), token: '1', mode: 'retry' };
      await expect(attempt(retry, 0, {}, sending)).rejects.toMatchObject(unknown);
      expect([...kept.claims].filter((claim) => !before.includes(claim)).length).toBe(1);
      const later = attempt(executionOf(kept, '3'), 0, {}, sending);
      if (end) expect(await later).toEqual(end);
      else await expect(later).rejects.toMatchObject(openKey);
    },
  );

  /** Starts to send in another process. Resolves once that process has crashed, after so many writes of claims. */
  async function crashAfter(writes: number, attempt: Attempt, run: Run) {
    const { helpers } = executeContext(run);
    let crash = () => {};
    const crashed = new Promise<void>((resolve) => {
      crash = resolve;
    });
    let count = 0;
    const unlessCrashed =
      <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> => {
        count += 1;
        if (count <= writes) return write(...args);
        crash();
        return new Promise(() => {});
      };
    // Actions for its recipient would wait for it.
    attempt(run, 0, { to: '+12025550199' }, sending, {
      getWorkflow: () => ({ id: randomUUID() }),
      helpers: {
        checkProcessedAndRecord: unlessCrashed(helpers.checkProcessedAndRecord),
        removeProcessed: unlessCrashed(helpers.removeProcessed),
      },
    }).then(crash);
    await crashed;
  }

  test.each([
    ['before it claimed it, sends', 0, 0, 'sent', 1],
    ['after it claimed it, does not know', 1, 0, 'unknown', 0],
    ['after it sent, does not know', 2, 1, 'unknown', 1],
    ['after it noted that it sent, skips', 3, 1, 'skipped', 1],
  ])('that a process had which crashed %s', async (_, writes, before, end, after) => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    await crashAfter(writes, attempt, executionOf(kept, '1'));
    expect(sandbox.messages.length).toBe(before);
    for (const execution of ['2', '3']) {
      const later = attempt(executionOf(kept, execution), 0, {}, sending);
      if (end === 'unknown') await expect(later).rejects.toMatchObject(openKey);
      else if (end === 'skipped' || execution === '3') expect(await later).toEqual(skipped);
      else expect(await later).toMatchObject([{ json: { status: 'queued' } }]);
    }
    expect(sandbox.messages.length).toBe(after);
  });

  type Change = (claims: Set<string>) => void;
  const deletes =
    (...places: number[]): Change =>
    (claims) => {
      const all = [...claims];
      for (const place of places) claims.delete(all.at(place) ?? '');
    };
  const nothing = () => {};
  const queued = [{ json: expect.objectContaining({ status: 'queued' }) }];

  // The claims are that of the item, the two of the key, and their proof.
  test.each<[does: string, before: Change, after: Change, end: Item[] | undefined]>([
    ['sent, is skipped', deletes(2), nothing, skipped],
    ['was refused, sends', deletes(1, 2), nothing, queued],
    ['was refused and forgotten, sends', (claims) => claims.clear(), nothing, queued],
    ['was refused, while a third one claims it, does not', deletes(1, 2), deletes(-1), undefined],
  ])('that waits for another process which %s', async (_, before, after, expected) => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    await crashAfter(1, attempt, executionOf(kept, '1'));
    const run = executionOf(kept, '2');
    const { checkProcessedAndRecord } = executeContext(run).helpers;
    let writes = 0;
    const helpers = {
      async checkProcessedAndRecord(...args: Parameters<typeof checkProcessedAndRecord>) {
        writes += 1;
        if (writes === 2) before(kept.claims);
        const result = await checkProcessedAndRecord(...args);
        if (writes === 2) after(kept.claims);
        return result;
      },
    };
    const end = attempt(run, 0, {}, sending, { helpers });
    const later = () => attempt(executionOf(kept, '3'), 0, {}, sending);
    if (expected) expect([await end, await later()]).toEqual([expected, skipped]);
    else for (const one of [end, later()]) await expect(one).rejects.toMatchObject(openKey);
    expect(sandbox.messages.length).toBe(expected === queued ? 1 : 0);
  });

  test('stays with the record of what was sent once n8n has stored the execution', async () => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const run = { ...executionOf(kept, '1'), stored: () => run.kept.context };
    const first = await attempt(run, 0, {}, sending);
    await Promise.all(kept.ends.map((act) => act()));
    expect(kept.claims.size).toBe(1);
    expect(await attempt(run, 0, {}, sending)).toEqual(first);
    expect(await attempt(executionOf(kept, '2'), 0, {}, sending)).toEqual(skipped);
    expect(sandbox.messages.length).toBe(1);
  });

  test.each([
    ['nothing of it stays, is claimed anew', [1, 2, 3, 4], 1],
    ['that worker has the key, is that worker’s', [1, 4], 0],
  ])('that another worker’s write replaces so that %s', async (_, lostWrites, sent) => {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const { add } = kept.claims;
    let writes = 0;
    kept.claims.add = (claim) => {
      writes += 1;
      return lostWrites.includes(writes) ? kept.claims : add.call(kept.claims, claim);
    };
    const end = attempt(executionOf(kept, '1'), 0, {}, sending);
    if (sent > 0) await end;
    else await expect(end).rejects.toMatchObject(openKey);
    expect(sandbox.messages.length).toBe(sent);
  });
});

test('sends once for equal items of a run, and returns the record for each, also in the next attempt', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const equal = asEqual(await attempt({ kept, token: 'one' }));
  for (const item of [1, 2, 1]) expect(await attempt({ kept, token: 'one' }, item)).toEqual(equal);
  expect(await attempt({ kept }, 2, { body: 'At 10:05' })).toEqual(equal);
  const token = 'one';
  const lostContext = { kept: { ...kept, context: {} }, execution: '2', mode: 'retry', token };
  await expect(attempt(lostContext, 1, { body: 'At 10:05' })).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(1);
});

test('an item is unknown if an equal one of the run is', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  for (const fault of lost) sandbox.faults.add(fault);
  const first = await attempt({ kept }).catch((error) => error);
  sandbox.faults.clear();
  for (const body of ['Hello', 'Changed'])
    await expect(attempt({ kept }, 1, { body })).rejects.toMatchObject({
      ...{ ...unknown, message: first.message },
    });
  expect(sandbox.messages.length).toBe(1);
});

test('an item sends if the service refused an equal one of the run', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  sandbox.faults.add({ name: 'missing', method: 'POST' });
  await expect(attempt({ kept })).rejects.toThrow();
  await attempt({ kept }, 1);
  await attempt({ kept });
  expect(sandbox.messages.length).toBe(1);
});

test('does not send again if an expression has another value in the next attempt', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const first = await attempt({ kept }, 0, { body: 'Your code is 1111.' });
  expect(await attempt({ kept }, 0, { body: 'Your code is 2222.' })).toEqual(first);
  for (const fault of lost) sandbox.faults.add(fault);
  await expect(attempt({ kept }, 1)).rejects.toMatchObject(unknown);
  sandbox.faults.clear();
  await expect(attempt({ kept }, 1, { body: 'Changed' })).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(2);
});

test('a retry of an execution whose context is lost does not send again', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  await attempt({ kept });
  const retry = { kept: { ...kept, context: {} }, execution: '2', mode: 'retry' };
  await expect(attempt(retry)).rejects.toMatchObject(unknown);
  await expect(attempt(retry, 1)).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(1);
  await attempt(retry, 2, { body: 'Another' });
  await attempt({ ...retry, execution: '3', mode: 'trigger', kept: { ...kept, context: {} } });
  expect(sandbox.messages.length).toBe(3);
});

test('a retry of an execution with a token sends what that execution did not send, even if its context is lost', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  await attempt({ kept, token: 'one' });
  const retry = { kept: { ...kept, context: {} }, execution: '2', mode: 'retry', token: 'one' };
  await expect(attempt(retry, 0, { body: 'At 10:05' })).rejects.toMatchObject(unknown);
  await attempt(retry, 1);
  // Another execution has sent the same before.
  const other = { kept: { ...kept, context: {} }, execution: '4', mode: 'retry', token: 'three' };
  await attempt(other);
  expect(sandbox.messages.length).toBe(3);
});

test('a retry of an execution whose context is lost sends in its next attempt what the service refused', async () => {
  const { sandbox, attempt } = await openAccount();
  const retry = { kept: newKept(), execution: '2', mode: 'retry' };
  sandbox.faults.add({ name: 'missing', method: 'POST' });
  await expect(attempt(retry)).rejects.toThrow();
  await attempt(retry);
  expect(sandbox.messages.length).toBe(1);
});

test('a retry of a retry whose context was lost does not send again either', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  await attempt({ kept });
  const context = {};
  const retry = (execution: string) => ({ kept: { ...kept, context }, execution, mode: 'retry' });
  await attempt(retry('2'), 1, { body: 'Another' });
  await expect(attempt(retry('3'))).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(2);
});

test('a retry of an execution that was saved while an item was sent does not send again', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const context = { 'telephony:send-sms:0:0': { state: 'claimed' } };
  const retry = { kept: { ...kept, context }, execution: '2', mode: 'retry' };
  await expect(attempt(retry)).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(0);
});

test('does not send again after an unexpected error during the first attempt', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const failure = new Error('Unexpected.');
  const broken = {
    run: async (_: string, __: object, { beforeSend }: { beforeSend(): Promise<void> }) => {
      await beforeSend();
      throw failure;
    },
    cleanPhone: String,
  } as unknown as Telephony;
  const input = { from: '+14155550100', to: '+12025550123', body: 'Hello' };
  await expect(act(executeContext({ kept }), broken, action, input, 0)).rejects.toBe(failure);
  await expect(attempt({ kept })).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(0);
});

test('sends in each execution without an id', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  for (const context of [{}, {}])
    await attempt({ kept: { ...kept, context }, execution: undefined });
  expect(sandbox.messages.length).toBe(2);
});

test('sends in the next attempt what the service refused in the first', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  sandbox.faults.add({ name: 'missing', method: 'POST' });
  await expect(attempt({ kept })).rejects.toThrow();
  await attempt({ kept });
  expect(sandbox.messages.length).toBe(1);
});

describe('someone retries an execution that the service refused', () => {
  /** Fails to send, and returns functions that retry the execution with what n8n saved of it. */
  async function openRefused() {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const { claims, context } = kept;
    const refuse = () => sandbox.faults.add({ name: 'missing', method: 'POST' });
    refuse();
    await expect(attempt({ kept })).rejects.toThrow();
    const retry = (execution: string, ...changed: [item?: number, changed?: object]) =>
      attempt(
        { kept: { ...kept, context: structuredClone(context) }, execution, mode: 'retry' },
        ...changed,
      );
    const sendElsewhere = (item: number) =>
      attempt({ kept: { ...kept, context: {} }, execution: 'another' }, item);
    return { sandbox, claims, refuse, retry, sendElsewhere };
  }

  test('twice, and sends once', async () => {
    const { sandbox, retry } = await openRefused();
    await retry('2');
    await expect(retry('3')).rejects.toMatchObject(unknown);
    expect(sandbox.messages.length).toBe(1);
  });

  test('twice at the same time, and sends once', async () => {
    const { sandbox, retry } = await openRefused();
    const ends = await Promise.allSettled([retry('2'), retry('3')]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(sandbox.messages.length).toBe(1);
  });

  test('with two workers at the same moment, and the one whose claims the other replaces does not send', async () => {
    const { sandbox, retry, claims } = await openRefused();
    claims.add = () => claims;
    await expect(retry('2')).rejects.toMatchObject(unknown);
    expect(sandbox.messages.length).toBe(0);
  });

  test('twice, and sends an item once that it did not reach, even if its text changes', async () => {
    const { sandbox, retry } = await openRefused();
    await retry('2', 1, { body: 'At 10:00' });
    await expect(retry('3', 1, { body: 'At 10:05' })).rejects.toMatchObject(unknown);
    expect(sandbox.messages.length).toBe(1);
  });

  test('and sends an item that it did not reach, although another execution sent the same', async () => {
    const { sandbox, retry, sendElsewhere } = await openRefused();
    await sendElsewhere(1);
    await retry('2', 1);
    expect(sandbox.messages.length).toBe(2);
  });

  test.each<[how: string, context: Values | undefined, text: string]>([
    ['with the memos of the execution', undefined, 'Hello'],
    ['with the memos of the execution and another text', undefined, 'At 10:05'],
    ['without memos', {}, 'Hello'],
  ])(
    'twice, %s, and sends one of two equal items once, whichever the service refuses',
    async (_, memos, body) => {
      const { sandbox, attempt } = await openAccount();
      const kept = newKept();
      const refuse = () => sandbox.faults.add({ name: 'missing', method: 'POST' });
      for (const item of [0, 1]) {
        refuse();
        await expect(attempt({ kept, token: 'one' }, item)).rejects.toThrow();
      }
      const context = memos ?? kept.context;
      const retried = (execution: string) => {
        const run = { kept: { ...kept, context: structuredClone(context) }, execution };
        return (item: number, changed: object = {}) =>
          attempt({ ...run, mode: 'retry', token: 'one' }, item, changed);
      };
      const second = retried('2');
      refuse();
      await expect(second(0)).rejects.toThrow();
      await second(1);
      const third = retried('3');
      for (const item of [0, 1]) await expect(third(item, { body })).rejects.toMatchObject(unknown);
      expect(sandbox.messages.length).toBe(1);
    },
  );

  test('again after the service refused a retry, and sends', async () => {
    const { sandbox, refuse, retry } = await openRefused();
    refuse();
    await expect(retry('2')).rejects.toThrow();
    await retry('3');
    expect(sandbox.messages.length).toBe(1);
  });
});

test('an outcome stays unknown in the next attempts, also when someone retries the execution', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  for (const fault of lost) sandbox.faults.add(fault);
  const first = await attempt({ kept }).catch((error) => error);
  expect(first).toMatchObject(unknown);
  sandbox.faults.clear();
  await expect(attempt({ kept })).rejects.toMatchObject({ ...unknown, message: first.message });
  await expect(attempt({ kept, execution: 'a retry of 1' })).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(1);
});

test('a second worker that takes over an execution does not send again', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  await attempt({ kept });
  // The context is lost with the first worker.
  const second = { kept: { ...kept, context: {} } };
  await expect(attempt(second)).rejects.toMatchObject(unknown);
  await expect(attempt(second)).rejects.toMatchObject(unknown);
  expect(sandbox.messages.length).toBe(1);
  await attempt({ ...second, execution: '2' }, 1, { body: 'Another' });
  expect(sandbox.messages.length).toBe(2);
});

test('sends nothing if n8n cannot store the claim', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  kept.claims.has = () => {
    throw new Error('The database is down.');
  };
  await expect(attempt({ kept })).rejects.toThrow('The database is down.');
  expect(sandbox.messages.length).toBe(0);
});

test('equal calls of an agent send once, also at the same time, and other calls send', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const tool = { kept, type: 'telephonyTool' };
  const first = await attempt(tool);
  expect(await attempt({ ...tool, runIndex: 1 })).toEqual(first);
  await Promise.all([3, 4].map((runIndex) => attempt({ ...tool, runIndex }, 0, { body: 'Again' })));
  await attempt({ ...tool, runIndex: 2 }, 0, { to: '+12025550124' });
  expect(sandbox.messages.length).toBe(3);
});

test('equal items of a run at the same time send once, and all return the record', async () => {
  const { sandbox, attempt } = await openAccount();
  const kept = newKept();
  const ends = await Promise.all([0, 1, 2].map((item) => attempt({ kept }, item)));
  const equal = asEqual(ends[0] ?? []);
  expect(ends).toEqual([ends[0], equal, equal]);
  expect(sandbox.messages.length).toBe(1);
});

describe('once n8n has stored an execution that has ended', () => {
  /** Sends an SMS and fails to send another, and ends the execution. */
  async function openEnded(stored: (context: Values) => Values | undefined) {
    const { sandbox, attempt } = await openAccount();
    const kept = newKept();
    const run = { kept, token: 'one', stored: () => stored(kept.context) };
    await attempt(run);
    sandbox.faults.add({ name: 'missing', method: 'POST' });
    await expect(attempt(run, 1, { body: 'Another' })).rejects.toThrow();
    const context = structuredClone(kept.context);
    const retry = (execution: string, item: number) =>
      attempt(
        { ...run, kept: { ...kept, context: structuredClone(context) }, execution, mode: 'retry' },
        item,
        { body: 'Another' },
      );
    return { sandbox, kept, retry, end: () => Promise.all(kept.ends.map((act) => act())) };
  }

  test.each<[what: string, stored: (context: Values) => Values | undefined, claims: number]>([
    ['with its outcomes, its claims go', (context) => context, 0],
    ['and deleted it, its claims go', () => undefined, 0],
    ['without its outcomes, its claims stay', () => ({}), 1],
  ])('%s', async (_, stored, claims) => {
    const { kept, end } = await openEnded(stored);
    expect(kept.ends.length).toBe(1);
    await end();
    expect(kept.claims.size).toBe(claims);
  });

  test('and cannot read it, its claims stay', async () => {
    const { kept, end } = await openEnded(() => {
      throw new Error('The database is down.');
    });
    // The item's, and that of the attempt.
    await expect(end()).rejects.toThrow('The database is down.');
    expect(kept.claims.size).toBe(2);
  });

  test('a retry sends what the execution did not send, once, and its claim stays', async () => {
    const { sandbox, kept, retry, end } = await openEnded((context) => context);
    await retry('2', 1);
    await end();
    await retry('2', 0);
    await expect(retry('3', 1)).rejects.toMatchObject(unknown);
    expect(sandbox.messages.length).toBe(2);
    expect(kept.ends.length).toBe(1);
  });
});
