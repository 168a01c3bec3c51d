import { batchActions, successWord } from '../../../src/builder.ts';
import type { Translate } from '../locale/translate.ts';
import { choicesHelp } from './choice-page.ts';
import {
  entry,
  heading,
  inputEntry,
  list,
  paragraphs,
  references,
  sentences,
} from './operation-help.ts';

const inputs = (t: Translate) =>
  [
    heading(t, 'Inputs'),
    list([
      entry(
        'payload',
        'array',
        t('The rows, each an object. The node previews them and sends nothing.'),
      ),
      entry(
        'skipChanged',
        'boolean',
        t(
          'Whether to skip rows that got another text, such as one with a mistake, from a batch of the last day. If it is missing, they are skipped if that batch was stopped or interrupted. The preview says how many.',
        ),
        true,
      ),
      entry(
        'skipSent',
        'boolean',
        t(
          'Whether to skip rows that already got the same text from a batch of the last 30 days. If it is missing, the setting of the node counts.',
        ),
        true,
      ),
      entry(
        'start',
        'boolean',
        t(
          'Starts the batch of <code>msg.batch</code>. It runs for exactly the rows that its preview showed.',
        ),
        true,
      ),
      entry(
        'stop',
        'boolean',
        t(
          'Stops the batch: messages in progress finish, and the rest is not run. Without <code>msg.batch</code> it stops all batches of the node.',
        ),
        true,
      ),
      entry(
        'show',
        'boolean',
        t('Sends the preview, progress or result of the batch again.'),
        true,
      ),
      entry(
        'delete',
        'boolean',
        t('Deletes the batch and its result. The next preview then offers all rows again.'),
        true,
      ),
      entry(
        'batch.key',
        'string',
        t('Which batch: keep <code>msg.batch</code> of the preview.'),
        true,
      ),
    ]),
  ].join('\n');

const properties = (t: Translate) =>
  [
    heading(t, 'Properties'),
    paragraphs(t, [
      'Enter a value, or take it from the row, which is <code>msg.payload</code> here, or from the context, the environment or an expression.',
      'If a row has no value for a field, the node skips it. The preview says why.',
    ]),
    list([
      entry(
        t('Row key'),
        'string',
        t(
          'The property that identifies a row. After a stop or errors, the next batch skips finished rows for a day, even if their text has changed. A row without it is identified by its recipient.',
        ),
        true,
      ),
      entry(
        t('Row name'),
        'string',
        t('The property of a row that names it in previews and results.'),
        true,
      ),
      entry(
        t('Skip sent'),
        'boolean',
        t(
          'Skips rows that already got the same text from an earlier batch, even one that has ended. Untick it for texts that are repeated, such as a daily reminder.',
        ),
        true,
      ),
      entry(
        t('Maximum rows'),
        'number',
        `${t('If a message has more rows, nothing is sent.')} ${t('Defaults to __value__.', { value: 1000 })}`,
        true,
      ),
    ]),
    choicesHelp(t, batchActions, ({ fields, ifUnknown }) => [
      list(fields.map((field) => inputEntry(t, field))),
      `<p>${sentences(t, ifUnknown)}</p>`,
    ]),
  ].join('\n');

const port = (t: Translate, name: string, entries: string[]) =>
  `<li>${t(name)}\n${list(entries)}</li>`;

const outputs = (t: Translate) => `${heading(t, 'Outputs')}
<ol class="node-ports">
${port(t, 'Preview', [
  entry('payload.label', 'string', t('a label for the button that starts the batch')),
  entry('payload.text', 'string', t('the preview in words')),
  entry(
    'payload.cost',
    'object',
    t(
      '<code>segments</code>, <code>recipients</code>, <code>senders</code> and <code>countries</code>',
    ),
  ),
  entry('payload.example', 'object', t('what is sent for the first row')),
  entry(
    'payload.rows',
    'array',
    t(
      'each row, with <code>who</code>, <code>outcome</code> and, if it is skipped, <code>message</code>',
    ),
  ),
  entry(
    'payload.repeated, changed, sentSingly',
    'object',
    t(
      'how many rows got the same text before, another text from a batch, or another text from another node today (<code>count</code>), and whether they are skipped (<code>isSkipped</code>); such a row has <code>repeated</code>, <code>changed</code> or <code>sentSingly</code>, and the <code>sid</code> of what a batch sent',
    ),
    true,
  ),
  entry('payload.previous', 'object', t('the last batch of the node'), true),
  entry('batch', 'object', t('the batch, for the message that starts it')),
])}
${port(t, 'Progress', [
  entry(
    'payload.counts',
    'object',
    t('how many rows have each outcome; at most one message per second'),
  ),
  entry('payload.text', 'string', t('the progress in words')),
])}
${port(t, 'Result', [
  entry(
    'payload.rows',
    'array',
    t(
      'each row: <code>__success__</code>, <code>scheduled</code>, <code>skipped</code>, <code>failed</code>, <code>opted out</code>, <code>unknown</code> or <code>not run</code>, with the reason in <code>message</code> and the <code>sid</code> of what was sent',
      { success: [...new Set(batchActions.map(successWord))].join('</code>, <code>') },
    ),
  ),
  entry('payload.counts', 'object', t('how many rows have each outcome')),
  entry('payload.text', 'string', t('the result in words')),
])}
</ol>`;

const details = (t: Translate) =>
  [
    heading(t, 'Details'),
    paragraphs(t, [
      "To start a batch, send the preview's message back with <code>msg.start</code> set to <code>true</code>, for example by a button of a dashboard and a Change node.",
      'The node sends as fast as the account allows. Of rows with the same recipient and text, one is sent.',
      'To continue a batch that was stopped or interrupted, send its rows again. The preview contains the rows that are left; start it.',
    ]),
    paragraphs(t, [
      "The plugin first looks in the account's log for rows that were in progress when Node-RED ended, so it sends none twice.",
      'A deploy stops the batch like <code>msg.stop</code>. If a row is failed, opted out, unknown or not run, Catch nodes get an error that names a few of them; after a deploy it is in the log as well.',
      'Batches and their results are kept for 30 days, and previews for an hour, in a file next to the flows.',
    ]),
  ].join('\n');

/** The help of the node that runs an action for each row, in the structure of Node-RED's own nodes. */
export const batchHelp = (t: Translate): string =>
  [
    `<p>${t('Runs an action for each row of a message, after a preview.')}</p>`,
    inputs(t),
    properties(t),
    outputs(t),
    details(t),
    references(t, ['expressions', 'errors']),
  ].join('\n');
