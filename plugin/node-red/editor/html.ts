import { english, type Translate, type Translated } from '../locale/translate.ts';
import { keyOf } from './catalogue.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for HTML. */
export const escapeHtml = (text: string | number) =>
  String(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** Serialises a value for a script in a page. */
export const toScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** What the editor needs for a node type. */
export interface NodePage {
  type: string;
  /** The source of the object to register. Catalogues parse it, so it contains no spread and no call. */
  definition: string;
  dialog: string;
  help: Translated;
}

/** The help of a node in a language. */
export const helpHtml = ({ type, help }: NodePage, t: Translate) => `
<script type="text/html" data-help-name="${type}">
${help(t)}
</script>
`;

/** The three parts of a node as the editor loads them. */
export const nodeHtml = (page: NodePage) => `
<script type="text/javascript">
RED.nodes.registerType('${page.type}', ${page.definition});
</script>
<script type="text/html" data-template-name="${page.type}">
${page.dialog}
</script>${helpHtml(page, english)}`;

/** The properties of a definition that name the node in the editor's language. */
export const namesOf = (usual: string, inLanguage?: Translated) => {
  const text = `this._(${toScript(keyOf(usual, inLanguage))})`;
  return `paletteLabel: function () { return ${text}; },
  label: function () { return this.name || ${text}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },`;
};
