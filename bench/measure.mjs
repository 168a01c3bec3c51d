import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { measureCalls } from './calls.mjs';
import { endChildren, start } from './children.mjs';
import { measureList } from './list.mjs';
import { measureLoading } from './loading.mjs';
import { measurePages } from './pages.mjs';

const artefact = join(import.meta.dirname, '../dist/saltcorn/index.js');

/**
 * Measures everything, one thing after the other.
 *
 * @param {{ rounds: number, calls: number, records: number, seconds: number }} effort how much of it
 * @param {(text: string) => void} say tells what is being measured
 */
export async function measure(effort, say) {
  try {
    const { message } = await start('server.mjs');
    say('Measuring calls …');
    const calls = await measureCalls(message.url, effort);
    say('Measuring loading …');
    const loading = await measureLoading(effort);
    say('Measuring pages …');
    const pages = await measurePages(message.url, effort);
    say('Measuring a list in Saltcorn …');
    const list = await measureList(message.url, effort);
    const { size } = await stat(artefact);
    return { calls, loading, pages, list, size };
  } finally {
    await endChildren();
  }
}
