import { SaxesParser } from 'saxes';

/** An element of an XML document. Its text is that between its tags, without that of its children. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

/**
 * Parses an XML document with a strict parser. Throws if it is not well-formed.
 *
 * @returns its root
 */
export function parseXml(document: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  // Comments, instructions and the like are no part of TwiML.
  for (const kind of ['cdata', 'comment', 'doctype', 'processinginstruction'] as const)
    parser.on(kind, () => {
      throw new Error(`The document contains a ${kind}.`);
    });
  parser.write(document).close();
  const [root, ...others] = top.children;
  if (!root || others.length > 0) throw new Error('The document has not exactly one root.');
  return root;
}
