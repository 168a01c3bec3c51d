declare module '@nocobase/server' {
  export class Plugin {
    app: import('./server/nocobase.ts').Application;
    beforeLoad(): Promise<void>;
    load(): Promise<void>;
    afterEnable(): Promise<void>;
    afterDisable(): Promise<void>;
  }
  /** Variables and dates, as NocoBase fills them in in the filter of a request. */
  export function createContextVariablesScope(context: object): object;
}

declare module '@nocobase/utils' {
  /** Fills in variables and dates. */
  export function parseFilter(filter: object, scope: object): Promise<object>;
}

declare module '@nocobase/data-source-manager' {
  export class CollectionManager {
    dataSource: DataSource;
    registerRepositories(repositories: Record<string, unknown>): void;
    defineCollection(options: object): object;
  }
  export class DataSource {
    get name(): string;
    /** What a role that may see all of a source may see: all there is, unless it is named. */
    acl: { setStrategyResources(collections: string[]): void };
    collectionManager: CollectionManager;
    createCollectionManager(options?: object): CollectionManager;
    load(): Promise<void>;
  }
}

declare module '@nocobase/client-v2' {
  export class Plugin {
    app: import('./client-v2/host.ts').Host;
    load(): Promise<void>;
  }
  export class CollectionFieldInterface {
    name: string;
    type: string;
    group: string;
    title: string;
    creatable: boolean;
    sortable: boolean;
    titleUsable: boolean;
    default: object;
    filterable: object | undefined;
  }
  class FlowModel {
    static define(options: object): void;
    static registerFlow(flow: object): void;
    props: object;
    context: import('@nocobase/flow-engine').ModelContext;
    onInit(options: object): void;
  }
  export class ClickableFieldModel extends FlowModel {
    renderComponent(value: unknown): import('react').ReactNode;
  }
  export class ActionModel extends FlowModel {
    defaultProps: object;
  }
  export const ActionSceneEnum: { all: unknown; collection: unknown; record: unknown };
  /** @param type the name of one of antd's icons */
  export const Icon: (props: { type: string }) => import('react').ReactNode;
  export const TextAreaWithContextSelector: unknown;
}

declare module '@nocobase/client' {
  export { Plugin } from '@nocobase/client-v2';
}

declare module '@nocobase/flow-engine' {
  export interface Collection {
    name: string;
    title: string;
    dataSourceKey: string;
    dataSource?: { key: string; options?: { type?: string } };
    /** The keys of rows. */
    getFilterByTK(rows: object[]): unknown[];
    getFields(): { name: string; interface?: string }[];
  }
  /** What a model is shown in. */
  export interface ModelContext {
    collection?: Collection;
    blockModel?: { collection?: Collection };
    t(text: string): string;
    /** @param options `meta`: what can be chosen of it as a variable */
    defineProperty(name: string, options: { get(): unknown; meta?: unknown }): void;
  }
  /** What a menu of models shows of one. */
  export interface MenuItem {
    createModelOptions: unknown;
  }
  /** @param skipHide whether a model that hides itself is shown, too */
  export function buildSubModelItem(
    model: unknown,
    context: ModelContext,
    skipHide: boolean,
  ): Promise<MenuItem | undefined>;
  export function createCollectionContextMeta(
    collection: () => Collection | null,
    title: string,
  ): unknown;
  /** What a component is shown in. */
  export function useFlowContext(): FlowContext;
  /** A popup that is open. */
  interface OpenPopup {
    /** The model that opens it. */
    uid?: string;
    /** The record that it shows. */
    resource?: { dataSourceKey?: string; collectionName?: string; filterByTk?: unknown };
    parent?: OpenPopup;
  }
  /** What a step of a flow is run in. */
  export interface FlowContext {
    /** The button, or whatever else runs the flow. */
    model?: {
      uid: string;
      hidden?: boolean;
      getStepParams(flow: string, step: string): Record<string, unknown> | undefined;
    };
    collection?: Collection;
    /** The row that a button is in. */
    record?: object;
    /** The popup that a button is in. */
    popup?: Promise<OpenPopup | undefined>;
    /** The block that a button is in. */
    blockModel?: {
      collection?: Collection;
      resource?: { getSelectedRows?(): object[] };
    };
    message: {
      success(shown: { key: string; content: string }): void;
      error(text: string): void;
    };
    viewer: { dialog(options: object): void };
    resolveJsonTemplate(template: object): Promise<unknown>;
    /** Ends the flow. */
    exit(): never;
  }
  export const ActionScene: { DYNAMIC_EVENT_FLOW: unknown };
  /** A text that is translated where it is shown. */
  export function tExpr(text: string, options: { ns: string }): string;
  export function defineAction<Action>(
    action: Action & {
      handler(context: FlowContext, params: Record<string, unknown>): Promise<unknown>;
    },
  ): Action;
  interface Binding {
    bindModelToInterface(model: string, interfaces: string[], options: object): void;
  }
  export const DisplayItemModel: Binding;
  export const FilterableItemModel: Binding;
}

declare module 'react' {
  export type ReactNode = object | string | number | boolean | null | undefined;
  export function createElement(
    type: unknown,
    props?: object | null,
    ...children: ReactNode[]
  ): object;
  export function useState<Of>(initial: Of): [Of, (next: Of) => void];
  export function useEffect(effect: () => (() => void) | undefined, dependencies: unknown[]): void;
}

declare module 'antd' {
  interface FormInstance {
    validateFields(): Promise<Record<string, unknown>>;
    getFieldValue(name: string[]): unknown;
    getFieldsValue(all: true): Record<string, unknown>;
    setFieldValue(name: string, value: unknown): void;
    setFields(fields: { name: string; errors: string[] }[]): void;
  }
  export const Form: {
    useForm(): [FormInstance];
    useFormInstance(): FormInstance;
    /** The value of a form's field, of each new one. */
    useWatch(name: string[]): unknown;
    Item: unknown;
  };
  export const AutoComplete: unknown;
  export const Dropdown: unknown;
  export const Typography: { Text: unknown };
  export const DatePicker: unknown;
  export const Input: { TextArea: unknown; Password: unknown };
  export const Alert: unknown;
  export const Button: unknown;
  export const Card: unknown;
  export const Collapse: unknown;
  export const Descriptions: unknown;
  export const Popconfirm: unknown;
  export const Progress: unknown;
  export const Select: unknown;
  export const Space: unknown;
  export const Spin: unknown;
  export const InputNumber: unknown;
  export const Switch: unknown;
}

declare module 'dayjs' {
  export interface Dayjs {
    toISOString(): string;
  }
  export default function dayjs(text: string): Dayjs;
}
