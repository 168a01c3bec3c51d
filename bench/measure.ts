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

type Say = (text: string) => void;

/** Measures something at the server of canned answers. */
async function atServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  try {
    const { message } = await start<{ url: string }>('server');
    return await work(message.url);
  } finally {
    await endChildren();
  }
}

function measurePaceAt(url: string, effort: Effort, say: Say) {
  say('Measuring many messages, of which so many are taken in a second …');
  return measureLimited(url, effort);
}

/**
 * Measures many messages alone.
 *
 * @param say tells what is being measured
 */
export const measurePace = (effort: Effort, say: Say) =>
  atServer((url) => measurePaceAt(url, effort, say));

/**
 * Measures everything, one thing after the other.
 *
 * @param say tells what is being measured
 */
export const measure = (effort: Effort, say: Say): Promise<Figures> =>
  atServer(async (url) => {
    say('Measuring calls …');
    const calls = await measureCalls(url, effort);
    say('Measuring loading …');
    const loading = await measureLoading(effort);
    say('Measuring pages …');
    const pages = await measurePages(url, effort);
    say('Measuring a list in Saltcorn …');
    const list = await measureList(url, effort);
    const limited = await measurePaceAt(url, effort, say);
    const { size } = await stat(artefact);
    return { calls, loading, pages, list, limited, size };
  });
