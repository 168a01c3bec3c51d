import { type Sandbox, type SandboxOptions, startSandbox } from '../../demo/sandbox/index.ts';
import { closeAfterwards } from './close-afterwards.ts';

export type { Sandbox } from '../../demo/sandbox/index.ts';

/** Opens a sandbox. It is closed after its tests. */
export const openSandbox = async (options?: SandboxOptions): Promise<Sandbox> =>
  closeAfterwards(await startSandbox(options));
