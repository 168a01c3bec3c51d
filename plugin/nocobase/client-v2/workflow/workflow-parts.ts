import type { Host } from '../host.ts';

/** The form components of NocoBase's workflow plugin. */
interface WorkflowParts {
  WorkflowVariableInput: unknown;
  WorkflowVariableTextArea: unknown;
}

/** Loads the components when a form opens. They don't exist while the workflow plugin is disabled. */
export const workflowParts = ({ requirejs }: Host) =>
  new Promise<WorkflowParts>((resolve, reject) => {
    requirejs.requirejs(
      ['@nocobase/plugin-workflow/client-v2'],
      (parts) => resolve(parts as WorkflowParts),
      reject,
    );
  });
