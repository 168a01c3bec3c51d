import {
  type EventReply,
  replyForms,
  TelephonyError,
  waitingReply,
} from '../../../../src/builder.ts';
import { instructionType } from '../../workflow-types.ts';
import type { Application } from '../nocobase.ts';
import { inputOf, type Processor, resultOf, type WorkflowNode } from './node.ts';

/** The workflow node that replies to the event that started the workflow. */
const replyInstruction = ({ id, name, fields }: EventReply, app: Application) => ({
  run: (node: WorkflowNode, _previous: unknown, processor: Processor) =>
    resultOf(app, name, async () => {
      const { replyTo } = processor.options;
      if (processor.execution.manually)
        throw new TelephonyError(
          'input',
          'No reply was sent: you executed the workflow manually, so no one waits for a reply.',
        );
      if (!replyTo)
        throw new TelephonyError(
          'input',
          'No reply was sent, because no event waits for one. Use an event as trigger, create the workflow with the execute mode “Synchronously”, and reply before a node that pauses.',
        );
      const filled = processor.getParsedValue(node.config, node.id);
      const input = inputOf(fields, Object(node.config.input), Object(filled.input));
      waitingReply(replyTo).reply(id, input);
      return input;
    }),
});

/** The workflow nodes of all replies, with their types. */
export const replyInstructions = (app: Application) =>
  replyForms.map((reply) => ({
    type: instructionType(reply),
    instruction: replyInstruction(reply, app),
  }));
