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
  return (await callAndAnswer(sandbox, url, [], ...seconds)).created;
}

/**
 * Lets a call come in as `callIn` does, whose caller answers questions.
 *
 * @param keys what the caller presses after each question; nothing, if empty
 * @param seconds of the sandbox's clock after the answers
 * @returns what the caller heard, and the calls and recordings that it created
 */
export async function callAndAnswer(
  sandbox: Sandbox,
  url: string,
  keys: string[],
  ...seconds: number[]
) {
  const [calls, recordings] = [sandbox.calls.length, sandbox.recordings.length];
  sandbox.events.numbers.set(incoming.to, { voiceUrl: url, statusCallback: url });
  const call = sandbox.receiveCall(incoming);
  const pass = async (one: number) => {
    sandbox.pass(one);
    await sandbox.events.settled();
  };
  await sandbox.events.settled();
  if (keys.length > 0) await pass(2);
  for (const digits of keys) {
    if (digits) sandbox.answer(call, { digits });
    // Long enough for a text and the wait behind it.
    await pass(digits ? 0 : 15);
  }
  for (const one of seconds) await pass(one);
  const view = await fetch(`${sandbox.origin}/sandbox/calls/${call.sid}`);
  const { heard } = (await view.json()) as { heard: string[] };
  return { heard, created: createdSince(sandbox, calls, recordings) };
}

/** The newest calls and recordings of a sandbox that had fewer. */
function createdSince(sandbox: Sandbox, calls: number, recordings: number) {
  return {
    calls: sandbox.calls
      .slice(0, sandbox.calls.length - calls)
      .map(({ from, to, status, duration }) => [from, to, status, duration]),
    recordings: sandbox.recordings
      .slice(0, sandbox.recordings.length - recordings)
      .map(({ source, status, duration }) => [source, status, duration]),
  };
}
