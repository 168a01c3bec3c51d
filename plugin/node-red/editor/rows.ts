import { definitions } from '../../../src/builder.ts';
import { accountType } from '../node/node-type.ts';
import { keyOf } from './catalogue.ts';
import { escapeHtml } from './html.ts';

/** A text of a dialog, which Node-RED translates. */
export const shownText = (english: string, tag = 'span', attributes = '') =>
  `<${tag}${attributes && ` ${attributes}`} data-i18n="${keyOf(english)}">${escapeHtml(english)}</${tag}>`;

/** An attribute of an element, which Node-RED translates. */
export const shownAttributes = (texts: Record<string, string>) => {
  const entries = Object.entries(texts).filter(([, english]) => english);
  const plain = entries.map(([name, english]) => `${name}="${escapeHtml(english)}"`);
  const keys = entries.map(([name, english]) => `[${name}]${keyOf(english)}`);
  return entries.length > 0 ? `${plain.join(' ')} data-i18n="${keys.join(';')}"` : '';
};

/** The label of an input, with an icon of Font Awesome 4, as in Node-RED's own dialogs. It is wide enough for German words. */
export const labelOf = (id: string, label: string, icon: string) =>
  `<label for="${id}" style="width: 120px"><i class="fa fa-${icon}"></i> ${shownText(label)}</label>`;

/** The style of what is below an input. */
const below = 'style="margin-left: 124px; opacity: 0.7"';

/** A text below an input. */
export const textBelow = (english: string) => (english ? shownText(english, 'div', below) : '');

/** A line below an input for what is said of its value. */
export const lineBelow = (id: string) => `<div id="${id}" role="status" ${below}></div>`;

/** A row of a node's dialog. */
export const row = (property: string, label: string, icon: string, input: string, help = '') => `
<div class="form-row" ${shownAttributes({ title: help })}>
  ${labelOf(`node-input-${property}`, label, icon)}
  ${input}
</div>`;

/** The input of a text. */
export const textInput = (property: string, placeholder: string | number = '') =>
  `<input type="text" id="node-input-${property}" style="width: 70%" placeholder="${escapeHtml(placeholder)}">`;

/** The row for what a node is called. */
export const nameRow = (usual: string) =>
  row(
    ...(['name', 'Name', 'tag'] as const),
    `<input type="text" id="node-input-name" style="width: 70%" ${shownAttributes({ placeholder: usual })}>`,
  );

/** The row for the account that a node is of. */
export const accountRow = row(
  'account',
  definitions.settings.name,
  'user',
  '<input type="text" id="node-input-account">',
);

/** What a definition does with a node that is dragged from the palette. */
export const onAdd = `onadd: function () { telephonyNodes.chooseAccount(this, '${accountType}'); },`;
