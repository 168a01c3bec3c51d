import { type Answer, failure } from './answers.ts';
import { pageOf } from './paging.ts';
import type { Message } from './records.ts';
import type { Request, State } from './state.ts';

const CONTENT_TYPE = 'image/png';
/** Two hills under the sun. */
const PICTURE = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAGAAAABIBAMAAAD7Se1QAAAAD1BMVEWHvuv63G5allo8bkb///82egG0AAAA7ElEQVR42u2TQRKC',
    'MAxFq+MB5AbO9wbkAi56/zNpgULb5DONKwf5y+S9KW1CCGeOmuGTu9W4xRiN8iUJg41HQ5l5bWReGUTY+NZY+PYWVMgHtEcUfHz9',
    'huC+g1ugc6ACmzQXyC7tCXxX6b4Guqz9B/gF+j988cedOU6umNPLY83DyfcZgM8AfAbgMwCfATNza+/9LcOaCuMn1pgj5xOrJ7/H',
    'f1i1K/v8IqCbz8L6xkCnADwlZbSxrRdq3jZyTwpB1oycT0ZQNWWUPVmEqtYYdU+CUasN0ULLV4ZoQfOFIVoQM6P1/ZMgzpzCvwhv',
    'M9QLpP/KLHYAAAAASUVORK5CYII=',
  ].join(''),
  'base64',
);

/** The pictures of a message: `num_media` of them. */
export const picturesOf = (message: Message) =>
  Array.from({ length: Number(message.num_media) }, (_, index) => {
    const sid = `ME${message.sid.slice(4)}${index.toString(16).padStart(2, '0')}`;
    return {
      ...{ sid, parent_sid: message.sid, account_sid: message.account_sid },
      ...{ content_type: CONTENT_TYPE, uri: message.uri.replace(/\.json$/, `/Media/${sid}.json`) },
      ...{ date_created: message.date_created, date_updated: message.date_updated },
    };
  });

/** `GET /Messages/{MessageSid}/Media.json`: the pictures of a message. */
export function listPictures(state: State, { sid, path, query }: Request): Answer {
  const message = state.messages.find((one) => one.sid === sid);
  return message
    ? pageOf(path, 'media_list', picturesOf(message), query)
    : failure(20404, { path });
}

/** `GET /Messages/{MessageSid}/Media/{Sid}`: the same picture for all. */
export function viewPicture(state: State, { sid, path }: Request): Answer {
  const message = state.messages.find((one) => one.sid === sid);
  const known = message && picturesOf(message).some((one) => path.endsWith(`/${one.sid}`));
  return known
    ? { status: 200, headers: { 'content-type': CONTENT_TYPE }, body: PICTURE }
    : failure(20404, { path });
}
