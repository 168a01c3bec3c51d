import {
  type Field,
  fieldTypes,
  isAction,
  isList,
  type Operation,
  type RecordField,
  type RecordShape,
  recordShape,
  requestOf,
} from '../../../src/index.ts';
import { isFilter } from '../node/read-input.ts';
import { escapeHtml } from './html.ts';

const sentences = (...texts: (string | undefined | false)[]) =>
  escapeHtml(texts.filter(Boolean).join(' '));

/** An entry of the list of properties in a node's help. */
export const entry = (name: string, type: string, text: string, isOptional = false) =>
  `<dt${isOptional ? ' class="optional"' : ''}>${escapeHtml(name)} <span class="property-type">${type}</span></dt>
<dd>${text}</dd>`;

/** The list of properties in a node's help. */
export const list = (entries: string[]) =>
  `<dl class="message-properties">\n${entries.join('\n')}\n</dl>`;

const inputEntry = ({ label, type, help, options, required, default: value }: Field) =>
  entry(
    label,
    fieldTypes[type].holds === 'integer' ? 'number' : 'string',
    sentences(
      help,
      options && `One of ${options.join(', ')}.`,
      value !== undefined && `${value} when empty.`,
    ),
    !required,
  );

const inputs = (operation: Operation) =>
  operation.fields.length === 0
    ? ''
    : `<h3>Properties</h3>
<p>Each can be typed, or taken from the message, the context, the environment or an expression. Empty ones are not sent. One
that is taken from elsewhere has to be there: without a value, nothing is done.${operation.fields.some((field) => isFilter(operation, field)) ? ' <code>*</code> stands for all.' : ''}</p>
${list(operation.fields.map(inputEntry))}`;

const recordEntry = ({ key, label, help }: RecordField) =>
  `<li><code>${key}</code>: ${sentences(`${label}.`, help)}</li>`;

/** What a record has, with what is not in it left out. */
export function recordHelp({ fields, media: hasMedia }: RecordShape, keys?: string[]): string {
  const media = hasMedia
    ? '<li><code>media</code>: the URL where a browser can play it, if the account allows it.</li>'
    : '';
  const shown = fields.filter(({ key }) => keys?.includes(key) ?? true);
  return `<p>A record has</p>
<ul>${shown.map(recordEntry).join('\n')}${media}</ul>`;
}

function outputs(operation: Operation) {
  const shape = recordShape(operation.result.of);
  const payload = list(
    isList(operation)
      ? [
          entry('payload', 'array', 'the records, newest first'),
          entry('more', 'boolean', 'whether the account has more records'),
          entry(
            'parts',
            'object',
            'with one message per page: its position, for a Join node',
            true,
          ),
        ]
      : [entry('payload', 'object', 'the record')],
  );
  return `<h3>Outputs</h3>
${payload}
${recordHelp(shape)}`;
}

const onStop = (operation: Operation) =>
  isAction(operation)
    ? 'stops sending: requests in progress finish, and each message that was not sent is reported with its recipient'
    : 'is stopped and reported';

const details = (operation: Operation) => `<h3>Details</h3>
<p>It asks the service for <code>${requestOf(operation)}</code>, below the account.</p>
<p>Any message that comes in starts it. The rest of the message is kept. <i>Result to</i> names
another property than the payload for the result. What goes wrong reaches a Catch node,
with a sentence in <code>error.message</code>, a stable word in <code>error.code</code>, and in <code>error.cause</code> what else is
known, such as <code>serviceCode</code>, <code>requestId</code> and <code>retryAfter</code> in seconds.</p>
<p>A message in which <code>stop</code> or <code>reset</code> is true starts nothing: what came before ${onStop(operation)}.
<code>reset</code> also starts the counts under the node anew. The same happens when the node is deployed again; the reports
are then also in the log.</p>${
  isAction(operation)
    ? `
<p>It is never sent twice: when the answer of the service is lost, it is looked for what became of it. Where that cannot be found, <code>error.code</code> is <code>unknown-outcome</code>. ${escapeHtml(operation.ifUnknown)}</p>`
    : ''
}`;

/** The help of an operation's node, in the form that Node-RED's own nodes have. */
export const operationHelp = (operation: Operation): string =>
  [
    `<p>${escapeHtml(operation.description)}</p>`,
    inputs(operation),
    outputs(operation),
    details(operation),
  ].join('\n');
