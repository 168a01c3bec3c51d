import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import firstSms from '../../../demo/node-red/first-sms.json';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Writes the flow of the example “First SMS” with an account that is not filled in, and returns its path. */
export function firstSmsFlow(): string {
  const account = { id: 'account', type: 'telephony-account', name: '', username: '', baseUrl: '' };
  const nodes = firstSms.map((node) =>
    'account' in node ? { ...node, account: 'account' } : node,
  );
  const path = join(temporaryFolder('flow'), 'first-sms.json');
  writeFileSync(path, JSON.stringify([account, ...nodes]));
  return path;
}
