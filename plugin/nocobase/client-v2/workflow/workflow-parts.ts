import type { Host } from '../host.ts';

/** The parts of NocoBase's workflows that forms are drawn with. */
interface WorkflowParts {
  WorkflowVariableInput: unknown;
  WorkflowVariableTextArea: unknown;
}

/** Loads them, when a form is opened: where workflows are off, they are not there. */
export const workflowParts = ({ requirejs }: Host) =>
  new Promise<WorkflowParts>((resolve, reject) => {
    requirejs.requirejs(
      ['@nocobase/plugin-workflow/client-v2'],
      (parts) => resolve(parts as WorkflowParts),
      reject,
    );
  });
