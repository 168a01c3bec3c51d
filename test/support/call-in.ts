import type { Sandbox } from './open-sandbox.ts';

export const incoming = { from: '+12025550143', to: '+14155550100', seconds: 4 };

/**
 * Lets a call come in to a number whose events an app receives, and returns the outcome.
 *
 * @param url the webhook URL of the app
 * @param seconds of the sandbox's clock, after each of which all events are delivered
 * @returns the calls and recordings that it created, newest first
 */
export async function callIn(sandbox: Sandbox, url: string, ...seconds: number[]) {
  const [calls, recordings] = [sandbox.calls.length, sandbox.recordings.length];
  sandbox.events.numbers.set(incoming.to, { voiceUrl: url, statusCallback: url });
  sandbox.receiveCall(incoming);
  await sandbox.events.settled();
  for (const one of seconds) {
    sandbox.pass(one);
    await sandbox.events.settled();
  }
  return {
    calls: sandbox.calls
      .slice(0, sandbox.calls.length - calls)
      .map(({ from, to, status, duration }) => [from, to, status, duration]),
    recordings: sandbox.recordings
      .slice(0, sandbox.recordings.length - recordings)
      .map(({ source, status, duration }) => [source, status, duration]),
  };
}
