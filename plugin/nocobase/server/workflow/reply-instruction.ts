import { replyField, TelephonyError, waitingReply } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import { inputOf, type Processor, resultOf, type WorkflowNode } from './node.ts';

/** The kind of node that replies to the event that its workflow started from. */
export const replyInstruction = (app: Application) => ({
  run: (node: WorkflowNode, _previous: unknown, processor: Processor) =>
    resultOf(app, 'Reply', async () => {
      const { replyTo } = processor.options;
      if (!replyTo)
        throw new TelephonyError(
          'input',
          'No event waits for a reply. The workflow must be triggered by an event, run synchronously and not have paused.',
        );
      const filled = processor.getParsedValue(node.config, node.id);
      const input = inputOf([replyField], Object(node.config.input), Object(filled.input));
      waitingReply(replyTo).reply(input[replyField.key]);
      return input;
    }),
});
