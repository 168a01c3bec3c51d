import type { Property } from 'n8n-workflow';
import { isAction, type Operation, operations } from '../../../src/builder.ts';
import { fieldsOf, properties, replies } from './properties.ts';

function costOf(operation: Operation): string[] {
  const isPaid = ('counts' in operation && operation.counts) || 'paid' in operation;
  return [
    ...(isPaid ? ['The service charges for this.'] : []),
    ...(isAction(operation)
      ? ['Do it only if you were asked to, and never repeat it because of an error.']
      : []),
  ];
}

/** What a model reads about an operation: what it does and costs, and each parameter. */
const descriptionOf = (operation: Operation) =>
  [
    [operation.description, ...costOf(operation)].join(' '),
    ...fieldsOf(operation).map(({ label, help, required }) =>
      [`- ${label}${required ? '' : ' (optional)'}`, help].filter(Boolean).join(': '),
    ),
  ].join('\n');

/** n8n uses these instead of a description from the operation's name. */
const descriptions = operations.map(
  (operation): Property => ({
    ...{ displayName: 'Description', name: 'toolDescription', type: 'string', required: true },
    default: descriptionOf(operation),
    typeOptions: { rows: 4 },
    description: 'What the model reads about this tool',
    displayOptions: { show: { resource: [operation.result.of], operation: [operation.id] } },
  }),
);

const isReply = ({ displayOptions }: Property) =>
  Object(displayOptions).show?.resource?.includes(replies) === true;

const [resource, ...others] = properties.filter((one) => !isReply(one));
const offered = Object(resource).options?.filter(({ value }: Property) => value !== replies);

/** The inputs of the node as an agent's tool, which can't reply: no event starts it. */
export const toolProperties: Property[] = [
  { ...(resource as Property), options: offered },
  ...others,
  ...descriptions,
];
