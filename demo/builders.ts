import type { Builder } from './builder.ts';
import { gateway } from './gateway/builder.ts';
import { n8n } from './n8n/builder.ts';
import { nocobase } from './nocobase/builder.ts';
import { nodeRed } from './node-red/builder.ts';
import { nodeTooOld } from './node-version.mjs';
import { install } from './npm-ci.mjs';
import { saltcorn } from './saltcorn/builder.ts';
import { Advice } from './terminal.mjs';

export const builders = { saltcorn, 'node-red': nodeRed, nocobase, n8n, gateway } satisfies Record<
  string,
  Builder
>;

export type BuilderId = keyof typeof builders;

/** @throws {Advice} if the installation fails, or the builder needs a newer Node */
export async function installBuilder({ name, folder, size }: Builder) {
  const tooOld = nodeTooOld(name, folder);
  if (tooOld) throw new Advice(tooOld);
  await install(folder, `Installing ${name}, once: ${size}`);
}
