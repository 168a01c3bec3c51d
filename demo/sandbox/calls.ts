import { type Answer, failure, json } from './answers.ts';
import { hangUp, isLive } from './call-progress.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';
import { timesOf } from './times.ts';

/** `GET /Calls/{CallSid}.json`: one call, or 20404. */
export function viewCall(state: State, { sid, path }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  return call ? json(200, call) : failure(20404, { path });
}

/**
 * `POST /Calls/{CallSid}.json`: ends a call with `Status=completed`, or with `Status=canceled` one that nobody answered yet.
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
