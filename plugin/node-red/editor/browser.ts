/** The parts of Node-RED's editor that the dialogs use. */

type Translation = { label?: string } | undefined;
type Validator = (this: NodeProperties, value: string, about?: Translation) => boolean | string;
export type NodeProperties = Record<string, string>;
/** A node's properties. Secrets are present only if the user typed them. */
type EditedNode = NodeProperties & { credentials?: unknown };

interface Option {
  value: string;
  label: string;
}

export interface TypedInputType extends Option {
  icon?: string;
  options?: Option[];
  autoComplete?: (text: string, done: (options: Option[]) => void) => void;
  /** The action of the button next to the value. */
  expand?: (() => void) & { icon: string };
}

interface TypedInputOptions {
  default?: string;
  typeField?: string;
  types: (string | TypedInputType)[];
}

export interface Element {
  val(): string;
  val(value: string): Element;
  text(text: string): Element;
  show(): Element;
  css(property: string, value: string): Element;
  attr(name: string, value: string): Element;
  on(event: string, listener: () => void): Element;
  trigger(event: string): Element;
  prop(name: string, value: boolean): Element;
  closest(selector: string): Element;
  find(selector: string): Element;
  filter(selector: string): Element;
  children(): Element;
  detach(): Element;
  clone(): Element;
  empty(): Element;
  appendTo(place: Element): Element;
  each(act: (index: number, input: { id: string; value: string }) => void): void;
  typedInput(options: TypedInputOptions): Element;
  typedInput(what: 'type' | 'value'): string;
  typedInput(what: 'value', value: string): void;
}

interface PendingResponse<T> {
  done(listener: (response: T) => void): PendingResponse<T>;
  fail(listener: (response: { status: number }) => void): PendingResponse<T>;
}

interface JQuery {
  (selector: string): Element;
  getJSON<T>(url: string): PendingResponse<T>;
  ajax<T>(options: {
    url: string;
    method: 'POST';
    contentType: string;
    data: string;
  }): PendingResponse<T>;
}

export declare const document: { baseURI: string };

export declare const $: JQuery;
export declare const RED: {
  _(key: string, values?: object): string;
  i18n: { lang(): string };
  settings: { httpNodeRoot?: string | false };
  nodes: {
    node(id: string): EditedNode | null;
    eachConfig(callback: (node: { id: string; type: string; valid?: boolean }) => void): void;
  };
  clipboard: { copyText(text: string, nextTo: Element, said: string): boolean };
  popover: {
    menu(options: {
      options: Option[];
      width: number;
      maxHeight: number;
      class: string;
      onselect(option: Option): void;
    }): { show(options: { target: Element }): void };
  };
  validators: { typedInput(typeProperty: string | { type: string }): Validator };
};
