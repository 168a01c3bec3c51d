/** A workflow of NocoBase. */
export interface StoredWorkflow {
  /** The same for all its versions. */
  key: string;
  type: string;
  title: string;
  config: Record<string, unknown>;
}

/** What a workflow is started with. */
export interface TriggerOptions {
  /** No other execution has it. */
  eventKey: string;
  /** Nodes find it among the options of their processor, in a workflow that is awaited. */
  replyTo?: string | undefined;
  onTriggerFail(workflow: unknown, data: unknown, options: unknown, error: Error): void;
}

/** The parts of NocoBase's workflow plugin that the plugin stands on. */
export interface Workflows {
  enabled: boolean;
  registerInstruction(type: string, instruction: object): void;
  registerTrigger(type: string, trigger: object): void;
  /** Whether the user who starts it waits for its end. */
  isWorkflowSync(workflow: StoredWorkflow): boolean;
  /** Resolves when it has ended, where it is awaited. */
  trigger(workflow: StoredWorkflow, context: object, options: TriggerOptions): unknown;
}
