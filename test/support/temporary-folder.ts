import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterwards } from './close-afterwards.ts';

/**
 * An empty folder that is removed after the tests it was made for.
 *
 * @param name what its name begins with
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `telephony-${name}-`));
  closeAfterwards({ close: () => rmSync(folder, { recursive: true, force: true }) });
  return folder;
}
