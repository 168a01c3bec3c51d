import { randomUUID } from 'node:crypto';
import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Trigger from '@saltcorn/data/models/trigger';
import { definitions, pollEvents, wereAskedFor } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { askEvery } from '../settings/event-place.ts';
import { forgetPolls, lastPoll, pollTurns } from './poll-turns.ts';
import { log, reportTold, tellTriggers } from './tell-triggers.ts';
import { toldEvents } from './told-events.ts';

/** How long after it was loaded the service is asked first, in milliseconds. */
const firstWait = 1_000;

/** How often it is looked whether something else starts from events, in milliseconds. The database is asked only when that is so. */
const look = 3_000;

/** Those that the service can be asked for. */
const polledEvents = definitions.events.filter(({ polled }) => polled);

/** Who asks, how often in milliseconds, and in whose turns: what was begun with other settings notes nothing in theirs. */
interface Asking {
  account: Account;
  interval: number;
  turns: ReturnType<typeof pollTurns>;
}

/** Those that something in this Saltcorn starts from. */
function heardEvents(): string[] {
  const { virtual_triggers: virtual } = getState();
  return polledEvents
    .filter(
      ({ name }) =>
        Trigger.find({ when_trigger: name }).length > 0 ||
        virtual.some(({ when_trigger }) => when_trigger === name),
    )
    .map(({ id }) => id);
}

/** Whether something starts from them that is not loaded: without it nothing would be told, and it would not be known how far was read. */
async function isLoading(): Promise<boolean> {
  for (const { name } of polledEvents)
    if ((await Trigger.findDB({ when_trigger: name })).length > 0) return true;
  return false;
}

/** How long ago it has to be that the service was asked: not long where something starts from what it was not asked for yet. */
async function due({ account, interval, turns }: Asking, events: string[]): Promise<number> {
  const soFar = await turns.soFar.read();
  try {
    const { account: address } = await account.telephony();
    return wereAskedFor(address, soFar, events) ? interval : look;
  } catch {
    // What is wrong with the settings is said when it is time.
    return interval;
  }
}

/**
 * Asks the service for events, in one of Saltcorn's workers. What is wrong is shown in the settings, and logged once.
 *
 * @param isFirst whether Saltcorn may still be loading its triggers
 * @returns for how long there is nothing to do as long as the same events are asked for, in milliseconds
 */
async function ask(asking: Asking, events: string[], isFirst: boolean): Promise<number> {
  const { account, interval, turns } = asking;
  if (events.length === 0 && (isFirst || (await isLoading()))) return look;
  const wait = await due(asking, events);
  if (!(await turns.begin(wait))) return turns.left(wait);
  const { problem: before } = await lastPoll();
  let problem = '';
  try {
    const poll = pollEvents(await account.telephony(), {
      ...{ events, memory: toldEvents(), soFar: turns.soFar },
      ...{ tell: tellTriggers(false), report: reportTold },
    });
    await poll();
  } catch (error) {
    ({ message: problem } = error as Error);
    if (problem !== before) log(`Polling: ${problem}`);
  }
  await turns.end(problem);
  return interval;
}

/** Saltcorn does not say when a module is removed. */
const isInstalled = () => definitions.manifest.id in getState().plugins;

const stops = new Map<string, () => void>();
const ignore = () => {};

/**
 * Asks the service for the events of the tenant, as often as its settings say, from now on. Each worker of Saltcorn and each
 * tenant does so when the module is loaded, and again when its settings were saved.
 */
export function followPolling(account: Account): void {
  const tenant = db.getTenantSchema();
  stops.get(tenant)?.();
  const interval = askEvery(account.configuration);
  const asking = { account, interval, turns: pollTurns(randomUUID()) };
  let problem = '';
  let isAsking = false;
  let idleLooks = 0;
  let known = '';
  async function askOnce(isFirst: boolean) {
    if (isAsking) return;
    isAsking = true;
    const before = problem;
    try {
      if (!isInstalled()) return;
      const events = heardEvents();
      idleLooks -= 1;
      if (idleLooks > 0 && known === events.join()) return;
      const left = await ask(asking, events, isFirst);
      [idleLooks, known] = [Math.ceil(left / look), events.join()];
      problem = '';
    } catch (error) {
      ({ message: problem } = error as Error);
      if (problem !== before) log(`Polling failed: ${problem}`);
    } finally {
      isAsking = false;
    }
  }
  const work = (isFirst: boolean) =>
    db.runWithTenant(tenant, () => (interval > 0 ? askOnce(isFirst) : forgetPolls().catch(ignore)));
  // They keep no process alive.
  const first = setTimeout(() => void work(true), firstWait).unref();
  const timer = interval > 0 ? setInterval(() => void work(false), look).unref() : undefined;
  stops.set(tenant, () => {
    clearTimeout(first);
    clearInterval(timer);
  });
}
