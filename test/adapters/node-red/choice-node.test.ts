import { registerChoice } from '../../../plugin/node-red/node/choice-node.ts';
import type { FlowConfig, NodeRed } from '../../../plugin/node-red/node-red.ts';

type Receive = (message: object, send: () => void, done: (error?: Error) => void) => void;

test.each<[operation: unknown, given: string]>([
  ['fax', 'fax'],
  ['constructor', 'constructor'],
  ['', ''],
  [undefined, 'undefined'],
])('a node whose choice is %j does nothing, and says so for each message', (operation, given) => {
  const [opened, status, warned, errors] = [jest.fn(), jest.fn(), jest.fn(), [] as unknown[]];
  let receive: Receive | undefined;
  const node = {
    ...{ status, warn: warned },
    on: (_: 'input', listener: Receive) => {
      receive = listener;
    },
  };
  let construct: (this: typeof node, config: FlowConfig) => void = () => {};
  // The only part of Node-RED that it uses.
  const RED = {
    _: (_: string, { defaultValue }: { defaultValue: string }) => defaultValue,
    nodes: {
      createNode: () => {},
      registerType: (_: string, made: typeof construct) => {
        construct = made;
      },
    },
  } as unknown as NodeRed;
  registerChoice(RED, 'telephony-x', [{ id: 'call' }], opened);
  construct.call(node, { id: 'n', type: 'telephony-x', operation });
  const message = `Unknown operation "${given}". Choose one of: call.`;
  for (const _ of [1, 2])
    receive?.(
      {},
      () => {},
      (error) => errors.push(String(error?.message)),
    );
  expect(errors).toEqual([message, message]);
  expect(warned.mock.calls).toEqual([[message]]);
  expect(status).toHaveBeenCalledWith(expect.objectContaining({ fill: 'red' }));
  expect(opened).not.toHaveBeenCalled();
});
