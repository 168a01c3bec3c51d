import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallFigures, measureCalls } from './calls.ts';
import { endChildren, start } from './children.ts';
import type { Effort } from './effort.ts';
import { type LimitedFigures, measureLimited } from './limited.ts';
import { type ListFigures, measureList } from './list.ts';
import { type LoadingFigures, measureLoading } from './loading.ts';
import { measurePages, type PageFigures } from './pages.ts';

const artefact = join(import.meta.dirname, '../dist/saltcorn/index.js');

export interface Figures {
  calls: CallFigures;
  loading: LoadingFigures;
  pages: PageFigures;
  list: ListFigures;
  /** By who sends. */
  limited: Record<string, LimitedFigures>;
  /** Of the plugin's one file, in bytes. */
  size: number;
}

/**
 * Measures everything, one thing after the other.
 *
 * @param say tells what is being measured
 */
export async function measure(effort: Effort, say: (text: string) => void): Promise<Figures> {
  try {
    const { message } = await start<{ url: string }>('server');
    say('Measuring calls …');
    const calls = await measureCalls(message.url, effort);
    say('Measuring loading …');
    const loading = await measureLoading(effort);
    say('Measuring pages …');
    const pages = await measurePages(message.url, effort);
    say('Measuring a list in Saltcorn …');
    const list = await measureList(message.url, effort);
    say('Measuring many messages, of which so many are taken in a second …');
    const limited = await measureLimited(message.url, effort);
    const { size } = await stat(artefact);
    return { calls, loading, pages, list, limited, size };
  } finally {
    await endChildren();
  }
}
