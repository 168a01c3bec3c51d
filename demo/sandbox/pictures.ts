import { type Answer, failure } from './answers.ts';
import { pageOf } from './paging.ts';
import type { Message } from './records.ts';
import type { Request, State } from './state.ts';

const CONTENT_TYPE = 'image/gif';
/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

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
    ? { status: 200, headers: { 'content-type': CONTENT_TYPE }, body: PIXEL }
    : failure(20404, { path });
}
