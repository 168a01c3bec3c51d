import { type Copy, copyRepository } from './copy-of-the-repository.ts';
import { filesIn, readDocument, sectionOf } from './document.ts';

/** An action that nobody has heard of yet. Its texts are of the kind that pages have to escape. */
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

/** Where a release is public, which packages say too. */
export const publicPlaces = {
  homepage: 'https://example.com/telephony#readme',
  repository: { type: 'git', url: 'git+https://example.com/telephony.git' },
  bugs: { url: 'https://example.com/telephony/issues' },
};

/** Adds an operation to a copy of this repository as CONTRIBUTING.md says, word by word. */
export function addTheDocumentedOperation(copy: Copy) {
  const section = sectionOf(readDocument('CONTRIBUTING.md'), 'Add an operation');
  const [, file = '', kind = ''] = section.match(/Add `"(.+)"` to the `(\w+)`/) ?? [];
  copy.list(kind, file);
  copy.write(filesIn(section));
}

/**
 * Builds a copy of this repository with two more operations, the documented data source and an action, as it is released
 * from somewhere public.
 */
export function buildCopyWithNewOperations(): Copy {
  const copy = copyRepository();
  addTheDocumentedOperation(copy);
  copy.list('actions', 'actions/forward-a-call.json');
  copy.write({ 'actions/forward-a-call.json': JSON.stringify(action) });
  const whole = JSON.parse(copy.read('package.json'));
  copy.write({ 'package.json': JSON.stringify({ ...whole, ...publicPlaces }) });
  copy.run('build.mjs');
  return copy;
}
