import { type Sandbox, type SandboxOptions, startSandbox } from '../../demo/sandbox/index.ts';
import { closeAfterwards } from './close-afterwards.ts';

export type { Sandbox } from '../../demo/sandbox/index.ts';

/** A sandbox that is closed after the tests it was opened for. */
export const openSandbox = async (options?: SandboxOptions): Promise<Sandbox> =>
  closeAfterwards(await startSandbox(options));
