import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterwards } from './close-afterwards.ts';

/** A program's last process may still be writing. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * Creates an empty folder. It is removed after its tests.
 *
 * @param name the beginning of its name
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `telephony-${name}-`));
  closeAfterwards({ close: () => rmSync(folder, removal) });
  return folder;
}
