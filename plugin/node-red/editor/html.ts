const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text as part of a page. */
export const escapeHtml = (text: string | number) =>
  String(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** A value as part of a script in a page. */
export const toScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** What the editor needs of one type of node. */
export interface NodePage {
  type: string;
  /** The source of the object that it is registered with. Catalogues read it, so it holds no spread and no call. */
  definition: string;
  dialog: string;
  help: string;
}

/** The three parts of a node, as the editor loads them. */
export const nodeHtml = ({ type, definition, dialog, help }: NodePage) => `
<script type="text/javascript">
RED.nodes.registerType('${type}', ${definition});
</script>
<script type="text/html" data-template-name="${type}">
${dialog}
</script>
<script type="text/html" data-help-name="${type}">
${help}
</script>
`;
