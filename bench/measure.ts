import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BatchesFigures, measureBatches } from './batches.ts';
import { type CallFigures, measureCalls } from './calls.ts';
import { endChildren, start } from './children.ts';
import type { Effort } from './effort.ts';
import { type FlowFigures, measureFlows } from './flows.ts';
import { type GatewayFigures, measureGateway } from './gateway.ts';
import { type LimitedFigures, measureLimited } from './limited.ts';
import { type ListFigures, measureList } from './list.ts';
import { type LoadingFigures, measureLoading } from './loading.ts';
import { measurePages, type PageFigures } from './pages.ts';
import { measureSelectedRows, type SelectedRowsFigures } from './selected-rows.ts';

const artefact = join(import.meta.dirname, '../dist/saltcorn/index.js');

export interface Figures {
  calls: CallFigures;
  loading: LoadingFigures;
  pages: PageFigures;
  list: ListFigures;
  flows: FlowFigures;
  selectedRows: SelectedRowsFigures | undefined;
  gateway: GatewayFigures;
  /** By sender. */
  limited: Record<string, LimitedFigures>;
  /** By store and number of rows. */
  batches: BatchesFigures;
  /** The size of the plugin's file in bytes. */
  size: number;
}

type Say = (text: string) => void;

/** Runs a measurement with the server of canned responses. */
async function atServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  try {
    const { message } = await start<{ url: string }>('server');
    return await work(message.url);
  } finally {
    await endChildren();
  }
}

function measureRateAt(url: string, effort: Effort, say: Say) {
  say('Measuring many messages, of which so many are taken in a second …');
  return measureLimited(url, effort);
}

/**
 * Measures only many messages.
 *
 * @param say called with the name of each measurement
 */
export const measureRate = (effort: Effort, say: Say) =>
  atServer((url) => measureRateAt(url, effort, say));

function measureGatewayAt(url: string, effort: Effort, say: Say) {
  say('Measuring the gateway …');
  return measureGateway(url, effort);
}

/**
 * Measures only the gateway.
 *
 * @param say called with the name of each measurement
 */
export const measureGatewayOnly = (effort: Effort, say: Say) =>
  atServer((url) => measureGatewayAt(url, effort, say));

/**
 * Measures only batches.
 *
 * @param say called with the name of each measurement
 */
export function measureBatchesOnly(effort: Effort, say: Say) {
  say('Measuring batches …');
  return measureBatches(effort).finally(endChildren);
}

/**
 * Runs all measurements, one after the other.
 *
 * @param say called with the name of each measurement
 */
export const measure = (effort: Effort, say: Say): Promise<Figures> =>
  atServer(async (url) => {
    say('Measuring calls …');
    const calls = await measureCalls(url, effort);
    say('Measuring loading …');
    const loading = await measureLoading(effort);
    say('Measuring pages …');
    const pages = await measurePages(url, effort);
    say('Measuring lists in Saltcorn …');
    const list = await measureList(url, effort);
    say('Measuring flows in Node-RED …');
    const flows = await measureFlows(url, effort);
    if (effort.hasNocobase) say('Measuring selected rows in NocoBase …');
    const selectedRows = effort.hasNocobase ? await measureSelectedRows(url, effort) : undefined;
    const gateway = await measureGatewayAt(url, effort, say);
    const limited = await measureRateAt(url, effort, say);
    const batches = await measureBatchesOnly(effort, say);
    const { size } = await stat(artefact);
    return { calls, loading, pages, list, flows, selectedRows, gateway, limited, batches, size };
  });
