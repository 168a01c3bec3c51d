/** A stored workflow. */
export interface StoredWorkflow {
  /** Shared by all versions of the workflow. */
  key: string;
  type: string;
  title: string;
  config: Record<string, unknown>;
}

/** The options of an execution. */
export interface TriggerOptions {
  /** Unique per execution. */
  eventKey: string;
  /** Nodes read it from their processor's options, if NocoBase waits for the workflow. */
  replyTo?: string | undefined;
  /** Resolves when it is the workflow's turn to reply. */
  turn?: Promise<unknown> | undefined;
  onTriggerFail(workflow: unknown, data: unknown, options: unknown, error: Error): void;
}

/** The options of an execution that someone starts manually. */
export interface ManualOptions {
  manually?: boolean;
}

export interface Execution {
  id: number | string;
  status: number;
}

/** The parts of NocoBase's workflow plugin that the plugin uses. */
export interface Workflows {
  enabled: boolean;
  registerInstruction(type: string, instruction: object): void;
  registerTrigger(type: string, trigger: object): void;
  /** Whether NocoBase waits for the workflow to end. */
  isWorkflowSync(workflow: StoredWorkflow): boolean;
  /** Resolves when the execution has ended, if NocoBase waits for it. */
  trigger(
    workflow: StoredWorkflow,
    context: object,
    options: TriggerOptions | ManualOptions,
  ): Promise<{ execution: Execution } | null | undefined> | undefined;
}
