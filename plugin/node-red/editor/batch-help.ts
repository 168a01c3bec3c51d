import { type Action, successWord } from '../../../src/builder.ts';
import { escapeHtml } from './html.ts';
import { entry, inputEntry, list } from './operation-help.ts';

const inputs = `<h3>Inputs</h3>
${list([
  entry('payload', 'array', 'The rows, each an object. The node previews them and sends nothing.'),
  entry(
    'start',
    'boolean',
    'Starts the batch of <code>msg.batch</code>. It runs for exactly the rows that its preview showed.',
    true,
  ),
  entry(
    'stop',
    'boolean',
    'Stops the batch: messages in progress finish, and the rest is not run. Without <code>msg.batch</code> it stops all batches of the node.',
    true,
  ),
  entry('show', 'boolean', 'Sends the preview, progress or result of the batch again.', true),
  entry(
    'delete',
    'boolean',
    'Deletes the batch and its result. The next preview then offers all rows again.',
    true,
  ),
  entry('batch.key', 'string', 'Which batch: keep <code>msg.batch</code> of the preview.', true),
])}`;

const properties = ({ fields }: Action) => `<h3>Properties</h3>
<p>Enter a value, or take it from the row, which is <code>msg.payload</code> here, or from the context, the environment or an
expression. A row without a value for a field that you take from elsewhere is skipped, and the preview says why.</p>
${list([
  ...fields.map((field) => inputEntry(field)),
  entry(
    'Row key',
    'string',
    'The property that identifies a row. After a batch that was stopped or had errors, its rows that are done are skipped for a day, even if their text has changed.',
    true,
  ),
  entry('Row name', 'string', 'The property that names a row in previews and results.', true),
  entry(
    'At most',
    'number',
    'If a message has more rows, nothing is sent. Defaults to 1000.',
    true,
  ),
])}`;

const outputs = (action: Action) => `<h3>Outputs</h3>
<ol class="node-ports">
<li>Preview
${list([
  entry('payload.label', 'string', 'what a button that starts the batch should say'),
  entry('payload.text', 'string', 'the preview in words'),
  entry(
    'payload.cost',
    'object',
    '<code>segments</code>, <code>recipients</code> and <code>senders</code>',
  ),
  entry('payload.example', 'object', 'what is sent for the first row'),
  entry(
    'payload.rows',
    'array',
    'each row, with <code>who</code>, <code>outcome</code> and, if it is skipped, <code>message</code>',
  ),
  entry('payload.previous', 'object', 'the last batch of the node', true),
  entry('batch', 'object', 'the batch, for the message that starts it'),
])}</li>
<li>Progress
${list([
  entry(
    'payload.counts',
    'object',
    'how many rows have each outcome; at most one message per second',
  ),
  entry('payload.text', 'string', 'the progress in words'),
])}</li>
<li>Result
${list([
  entry(
    'payload.rows',
    'array',
    `each row: <code>${successWord(action)}</code>, <code>skipped</code>, <code>failed</code>, <code>unknown</code> or <code>not run</code>, with the reason in <code>message</code>`,
  ),
  entry('payload.counts', 'object', 'how many rows have each outcome'),
  entry('payload.text', 'string', 'the result in words'),
])}</li>
</ol>`;

const details = ({ ifUnknown }: Action) => `<h3>Details</h3>
<p>To start a batch, send the preview's message back with <code>msg.start</code> set to <code>true</code>, for example by a button of a dashboard
and a Change node. The node sends five messages at a time. Rows that would send the same are sent once.</p>
<p>A batch that was stopped or interrupted continues when the rows come in again: the preview offers the rows that are left. Rows in progress when Node-RED
ended are checked in the message log first, and never sent twice. ${escapeHtml(ifUnknown)}</p>
<p>A deploy stops the batch like <code>msg.stop</code>. If a row is failed, unknown or not run, Catch nodes get an error with all of them; after a deploy it
is in the log as well. Batches and their results are kept for 30 days, and previews for an hour, in a file next to the flows.</p>`;

const references = `<h3>References</h3>
<ul>
<li><a href="https://docs.jsonata.org/overview.html">JSONata</a>: expressions that use the row</li>
<li><a href="https://nodered.org/docs/user-guide/handling-errors">Handling errors</a>: Catch nodes</li>
</ul>`;

/** The help of the node of an action for each row, in the form that Node-RED's own nodes have. */
export const batchHelp = (action: Action): string =>
  [
    `<p>${escapeHtml(action.description)} Runs for each row of a message, after a preview.</p>`,
    inputs,
    properties(action),
    outputs(action),
    details(action),
    references,
  ].join('\n');
