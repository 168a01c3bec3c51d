/** The parts of Node-RED's editor that the dialogs stand on. */

type Translation = { label?: string } | undefined;
type Validator = (this: NodeProperties, value: string, about?: Translation) => boolean | string;
export type NodeProperties = Record<string, string>;

export interface TypedInputType {
  value: string;
  label: string;
  options: { value: string; label: string }[];
}

interface TypedInputOptions {
  default: string;
  typeField?: string;
  types: (string | TypedInputType)[];
}

export interface Element {
  val(): string;
  val(value: string): Element;
  text(text: string): Element;
  attr(name: string, value: string): Element;
  on(event: string, listener: () => void): Element;
  prop(name: string, value: boolean): Element;
  closest(selector: string): Element;
  typedInput(options: TypedInputOptions): Element;
  typedInput(what: 'type' | 'value'): string;
}

interface Answer<T> {
  done(listener: (answer: T) => void): Answer<T>;
  fail(listener: (answer: { status: number }) => void): Answer<T>;
}

interface JQuery {
  (selector: string): Element;
  getJSON<T>(url: string): Answer<T>;
  ajax<T>(options: { url: string; method: 'POST'; contentType: string; data: string }): Answer<T>;
}

export declare const document: { baseURI: string };

export declare const $: JQuery;
export declare const RED: {
  settings: { httpNodeRoot?: string | false };
  nodes: { node(id: string): NodeProperties | null };
  validators: { typedInput(typeProperty: string | { type: string }): Validator };
};
