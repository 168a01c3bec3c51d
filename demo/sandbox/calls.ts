import { type Answer, failure, json } from './answers.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';
import { timesOf } from './times.ts';

/** `GET /Calls/{CallSid}.json`: one call, or 20404. */
export function viewCall(state: State, { sid, path }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  return call ? json(200, call) : failure(20404, { path });
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
