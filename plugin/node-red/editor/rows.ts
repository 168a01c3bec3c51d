import { definitions } from '../../../src/builder.ts';
import { accountType } from '../node/node-type.ts';
import { keyOf } from './catalogue.ts';
import { escapeHtml } from './html.ts';

/** A text that Node-RED translates in a dialog. */
export const shownText = (english: string, tag = 'span', attributes = '') =>
  `<${tag}${attributes && ` ${attributes}`} data-i18n="${keyOf(english)}">${escapeHtml(english)}</${tag}>`;

/** Attributes that Node-RED translates. */
export const shownAttributes = (texts: Record<string, string>) => {
  const entries = Object.entries(texts).filter(([, english]) => english);
  const plain = entries.map(([name, english]) => `${name}="${escapeHtml(english)}"`);
  const keys = entries.map(([name, english]) => `[${name}]${keyOf(english)}`);
  return entries.length > 0 ? `${plain.join(' ')} data-i18n="${keys.join(';')}"` : '';
};

/**
 * The label of an input, with a Font Awesome 4 icon as in Node-RED's own dialogs. It is wide enough for German words, and one with
 * two lines stands next to the middle of its input.
 */
export const labelOf = (id: string, label: string, icon: string) =>
  `<label for="${id}" style="width: 120px; vertical-align: middle"><i class="fa fa-${icon}"></i> ${shownText(label)}</label>`;

/** The style of elements below an input. */
const below = 'style="margin-left: 124px; opacity: 0.7"';

/** A text below an input. */
export const textBelow = (english: string) => (english ? shownText(english, 'div', below) : '');

/** An empty line below an input for a message about its value. */
export const lineBelow = (id: string) => `<div id="${id}" role="status" ${below}></div>`;

/** A row of a node's dialog. */
export const row = (property: string, label: string, icon: string, input: string, help = '') => `
<div class="form-row" ${shownAttributes({ title: help })}>
  ${labelOf(`node-input-${property}`, label, icon)}
  ${input}
</div>`;

/** A text input. */
export const textInput = (property: string, placeholder: string | number = '') =>
  `<input type="text" id="node-input-${property}" style="width: 70%" placeholder="${escapeHtml(placeholder)}">`;

/** The row for the node's name. */
export const nameRow = (usual: string) =>
  row(
    ...(['name', 'Name', 'tag'] as const),
    `<input type="text" id="node-input-name" style="width: 70%" ${shownAttributes({ placeholder: usual })}>`,
  );

/** The row for the node's account. */
export const accountRow = row(
  'account',
  definitions.settings.name,
  'user',
  '<input type="text" id="node-input-account">',
);

/** Configures a node when the user adds it from the palette. */
export const onAdd = `onadd: function () { telephonyNodes.chooseAccount(this, '${accountType}'); },`;
