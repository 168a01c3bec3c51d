import {
  type EventReply,
  replyForms,
  sentence,
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
      const { replyTo, turn } = processor.options;
      const { manually } = processor.execution;
      if (!replyTo && !manually)
        throw new TelephonyError(
          'input',
          sentence(
            'No reply was sent, because no event waits for one. Use an event as trigger, create the workflow with the execute mode “Synchronously”, and reply before a node that pauses.',
          ),
        );
      const filled = processor.getParsedValue(node.config, node.id);
      const input = inputOf(fields, Object(node.config.input), Object(filled.input));
      // No one waits for the reply to a sample.
      await turn;
      if (replyTo) await waitingReply(replyTo).reply(id, input);
      return input;
    }),
});

/** The workflow nodes of all replies, with their types. */
export const replyInstructions = (app: Application) =>
  replyForms.map((reply) => ({
    type: instructionType(reply),
    instruction: replyInstruction(reply, app),
  }));
