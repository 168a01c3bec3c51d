import { join } from 'node:path';
import { definitions } from '../../../src/index.ts';
import type { NodeRed } from '../node-red.ts';
import { EventMemoryFile } from './event-memory-file.ts';

// They outlive the nodes: a request may be under way while an account is deployed again.
const memories = new Map<string, EventMemoryFile>();

/** Which events of an account were told; by its id. */
export function memoryOf(RED: NodeRed, account: string): EventMemoryFile {
  const known = memories.get(account);
  if (known) return known;
  const name = `${definitions.manifest.id}-events-${encodeURIComponent(account)}.jsonl`;
  const memory = new EventMemoryFile(join(RED.settings.userDir ?? '.', name), (fault) =>
    RED.log.warn(
      `Cannot store which events were delivered, so a restart may repeat some: ${fault}`,
    ),
  );
  memories.set(account, memory);
  return memory;
}
