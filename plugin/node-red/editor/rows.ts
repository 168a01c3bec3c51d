import { definitions } from '../../../src/builder.ts';
import { escapeHtml } from './html.ts';

/** A row of a node's dialog. */
export const row = (property: string, label: string, input: string, help = '') => `
<div class="form-row"${help && ` title="${escapeHtml(help)}"`}>
  <label for="node-input-${property}">${escapeHtml(label)}</label>
  ${input}
</div>`;

/** The input of a text. */
export const textInput = (property: string, placeholder: string | number = '') =>
  `<input type="text" id="node-input-${property}" style="width: 70%" placeholder="${escapeHtml(placeholder)}">`;

/** The row for what a node is called. */
export const nameRow = (usual: string) => row('name', 'Name', textInput('name', usual));

/** The row for the account that a node is of. */
export const accountRow = row(
  'account',
  definitions.settings.name,
  '<input type="text" id="node-input-account">',
);
