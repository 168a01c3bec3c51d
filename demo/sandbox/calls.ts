import { type Answer, failure, json } from './answers.ts';
import { hangUp, isLive } from './call-progress.ts';
import type { ErrorCode } from './errors.ts';
import type { CallEvent } from './events.ts';
import { placeCall } from './happenings.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';
import { timesOf } from './times.ts';

const E164 = /^\+[1-9]\d{6,14}$/;
const ENDPOINT = /^(?:sip|client):\S+$/;

/** Magic numbers of the service's test credentials. */
const MAGIC_TO: Record<string, ErrorCode> = {
  '+15005550001': 21217,
  '+15005550002': 21214,
  '+15005550003': 21215,
};

/**
 * `POST /Calls.json`: places a call that speaks `Twiml`, or follows the instructions at `Url`. `StatusCallback` gets the statuses in
 * `StatusCallbackEvent`, or only the final one. The sandbox does not check whether `From` belongs to the account.
 */
export function createCall(state: State, { form }: Request): Answer {
  const field = (name: string) => form.get(name) ?? '';
  const [From, To] = [field('From'), field('To')];
  const code = objection(From, To, field('Twiml') || field('Url'));
  if (code) return failure(code, { From, To });
  const events = form.getAll('StatusCallbackEvent') as CallEvent[];
  const call = placeCall(state, {
    ...{ from: From, to: To, twiml: field('Twiml'), url: field('Url') },
    report: { url: field('StatusCallback'), ...(events.length > 0 && { events }) },
  });
  return { ...json(201, call), stored: call.sid };
}

function objection(from: string, to: string, instructions: string): ErrorCode | undefined {
  if (!to) return 21201;
  if (!from) return 21213;
  if (!E164.test(from)) return 21212;
  if (!E164.test(to) && !ENDPOINT.test(to)) return 21211;
  return instructions ? MAGIC_TO[to] : 21205;
}

/** `GET /Calls/{CallSid}.json`: one call, or 20404. */
export function viewCall(state: State, { sid, path }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  return call ? json(200, call) : failure(20404, { path });
}

/**
 * `POST /Calls/{CallSid}.json`: ends a call with `Status=completed`, or an unanswered one with `Status=canceled`.
 * 20404 for an unknown call, 21220 for one that has ended.
 */
export function updateCall(state: State, { sid, path, form }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  if (!call) return failure(20404, { path });
  const status = form.get('Status');
  if (!isLive(call)) return failure(21220, { reason: 'Call is not in-progress. Cannot redirect.' });
  const isAnswered = call.status === 'in-progress';
  if (status === 'completed' || (status === 'canceled' && !isAnswered))
    hangUp(state, call, isAnswered ? 'completed' : 'canceled');
  return json(200, call);
}

/** `GET /Calls.json`: calls by exact `Status`, `From` and `To`, and by `StartTime`, each optional. */
export function listCalls(state: State, { query }: Request): Answer {
  const started = timesOf(query, 'StartTime');
  const [status, from, to] = [query.get('Status'), query.get('From'), query.get('To')];
  const calls = state.calls.filter(
    (call) =>
      (!status || call.status === status) &&
      (!from || call.from === from) &&
      (!to || call.to === to) &&
      started(call.start_time),
  );
  return pageOf(`${state.account.root}/Calls.json`, 'calls', calls, query);
}
