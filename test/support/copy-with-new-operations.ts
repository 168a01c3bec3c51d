import { type Copy, copyRepository } from './copy-of-the-repository.ts';
import { filesIn, readDocument } from './document.ts';

/** A new action, with texts that pages have to escape. */
const action = {
  $schema: '../schema/action.schema.json',
  id: 'forward-a-call',
  name: 'Forward a Call',
  description: 'Sends a call on to another number, A & B, <b>"C"</b>.',
  request: { method: 'POST', path: '/Calls/{CallSid}.json' },
  fields: [
    { key: 'callSid', in: 'path', name: 'CallSid', type: 'sid', label: 'Call SID', required: true },
    { key: 'to', in: 'form', name: 'To', type: 'phone', label: 'To', required: true },
  ],
  result: { of: 'call' },
  done: 'Call {sid} sent on',
  ifUnknown: 'Look at the call.',
};

const texts = { in: 'query', type: 'text', maxLength: 100, multiline: true };

/** A new deletion, with all that a definition can say of a request: another host, a map and several values. */
export const newDeletion = {
  $schema: '../schema/action.schema.json',
  id: 'delete-a-call',
  name: 'Delete a Call',
  description: 'Deletes the record of a call.',
  request: { method: 'DELETE', host: 'content', path: '/v1/Calls/{CallSid}' },
  fields: [
    action.fields[0],
    { ...texts, key: 'labels', name: 'Labels', type: 'map', label: 'Labels' },
    { ...texts, key: 'reason', name: 'Reason', label: 'Reasons', maxValues: 3 },
  ],
  result: { of: 'call' },
  asks: 'Delete call {callSid}?',
  done: 'Call {sid} deleted',
  ifUnknown: 'Look at the list of calls.',
};

/** An input of the new deletion, as forms of texts have it. */
export const deletionInput = { callSid: 'CA1', labels: '1=Ada\n2=B & C', reason: 'test\nB & C' };

/** Its request. */
export const deletionRequest =
  'DELETE /v1/Calls/CA1?Labels=%7B%221%22%3A%22Ada%22%2C%222%22%3A%22B%20%26%20C%22%7D&Reason=test&Reason=B%20%26%20C';

/** The public URLs of a release, which packages contain too. */
export const publicPlaces = {
  homepage: 'https://example.com/telephony#readme',
  repository: { type: 'git', url: 'git+https://example.com/telephony.git' },
  bugs: { url: 'https://example.com/telephony/issues' },
};

/** Adds the documented operation to a copy of this repository. */
export function addTheDocumentedOperation(copy: Copy) {
  const page = readDocument('docs/contributing/operation.md');
  const [, file = '', kind = ''] = page.match(/Add `"(.+)"` to the `(\w+)`/) ?? [];
  copy.list(kind, file);
  copy.write(filesIn(page));
}

/**
 * Builds a builder's package in a copy of this repository with more operations, the documented data source, an action and a deletion,
 * and with public URLs.
 */
export function buildCopyWithNewOperations(builder: string): Copy {
  const copy = copyRepository();
  addTheDocumentedOperation(copy);
  for (const one of [action, newDeletion]) {
    const file = `actions/${one.id}.json`;
    copy.list('actions', file);
    copy.write({ [file]: JSON.stringify(one) });
  }
  const whole = JSON.parse(copy.read('package.json'));
  copy.write({ 'package.json': JSON.stringify({ ...whole, ...publicPlaces }) });
  copy.run('build.mjs', builder);
  return copy;
}
