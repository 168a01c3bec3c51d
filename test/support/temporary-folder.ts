import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterwards } from './close-afterwards.ts';

/**
 * Creates an empty folder. It is removed after its tests.
 *
 * @param name the beginning of its name
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `telephony-${name}-`));
  closeAfterwards({ close: () => rmSync(folder, { recursive: true, force: true }) });
  return folder;
}
