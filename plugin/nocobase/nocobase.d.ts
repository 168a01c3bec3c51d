/** The records of sample events by key, by event. The build fills it in. */
declare const sampleEvents: Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The parts of a browser's page that save a file. */
declare const document: {
  createElement(name: 'a'): { href: string; download: string; click(): void };
};

declare module '@nocobase/server' {
  export class Plugin {
    app: import('./server/nocobase.ts').Application;
    beforeLoad(): Promise<void>;
    load(): Promise<void>;
    afterEnable(): Promise<void>;
    afterDisable(): Promise<void>;
  }
  /** The variables and dates that NocoBase fills into the filter of a request. */
  export function createContextVariablesScope(context: object): object;
}

declare module '@nocobase/utils' {
  /** Fills variables and dates into a filter. */
  export function parseFilter(filter: object, scope: object): Promise<object>;
  /** Parses a date to an instant, or to a range as its start, its end and the brackets around it, if they aren't `[)`. */
  export function parseDate(
    value: unknown,
  ): string | [start: string, end: string, brackets?: string] | undefined;
}

declare module '@nocobase/data-source-manager' {
  export class CollectionManager {
    dataSource: DataSource;
    getRepository(name: string, sourceKey?: unknown): object;
    getCollection(
      name: string,
    ): { getField(name: string): { options: { target?: string } } | undefined } | undefined;
    registerRepositories(repositories: Record<string, unknown>): void;
    defineCollection(options: object): object;
  }
  interface Acl {
    /** Limits which collections a role with rights on the whole source may read; by default every one. */
    setStrategyResources(collections: string[]): void;
    /** Returns a copy of the rights of roles on an action. */
    can(asked: { action: string }): { params?: { filter?: object } } | null;
  }
  export class DataSource {
    get name(): string;
    acl: Acl;
    createACL(): Acl;
    collectionManager: CollectionManager;
    createCollectionManager(options?: object): CollectionManager;
    /** The options that the browser may read. */
    publicOptions(): object | null;
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
    /** The columns of the record key. */
    filterTargetKey: string | string[];
    /** Returns the keys of rows. */
    getFilterByTK(rows: object[]): unknown[];
    getFields(): { name: string; interface?: string }[];
    getField?(name: string): { type: string } | undefined;
    /** @param path the name of a column; `customer.city` is one of a related record */
    getFieldByPath?(path: string): { title: string } | undefined;
  }
  /** The context that NocoBase shows a model in. */
  export interface ModelContext {
    collection?: Collection;
    blockModel?: { collection?: Collection };
    t(text: string): string;
    /** @param options `meta` describes it as a variable to choose */
    defineProperty(name: string, options: { get(): unknown; meta?: unknown }): void;
  }
  /** A model in a menu. */
  export interface MenuItem {
    createModelOptions: unknown;
  }
  /** @param skipHide whether to show models that hide themselves */
  export function buildSubModelItem(
    model: unknown,
    context: ModelContext,
    skipHide: boolean,
  ): Promise<MenuItem | undefined>;
  /** @param includesAll whether to offer columns without a filter, too */
  export function createCollectionContextMeta(
    collection: () => Collection | null,
    title: string,
    includesAll?: boolean,
  ): () => Promise<import('./client-v2/bulk/offered-columns.ts').Variable | null>;
  export function useFlowContext(): FlowContext;
  /** An open popup. */
  export interface OpenPopup {
    /** The uid of the model that opens it. */
    uid?: string;
    /** The record that the popup shows. */
    resource?: { dataSourceKey?: string; collectionName?: string; filterByTk?: unknown };
    parent?: OpenPopup;
  }
  interface StoredModel {
    getStepParams(flow: string, step: string): Record<string, unknown> | undefined;
  }
  /** A filter form. */
  export type FilterFieldForm = StoredModel;
  /** A field of a filter form. */
  export interface FilterField extends StoredModel {
    getFilterValue?(): unknown;
    context?: { blockModel?: FilterFieldForm };
  }
  interface Action {
    /** `filterValue` is the conditions of a filter button. */
    props?: { filterValue?: { items?: object[] } };
  }
  /** A block that shows rows. */
  export interface BlockModel {
    uid?: string;
    collection?: Collection;
    resource?: {
      getSelectedRows?(): object[];
      refresh?(): Promise<void>;
      /** Makes other blocks with its records read them when they are shown again. */
      markDataSourceDirty?(): void;
      /** The data scope and the filters of the block, or undefined without any. */
      getFilter?(): object | undefined;
      getSort?(): string[];
      runAction?(
        action: 'list',
        options: object,
      ): Promise<{ data: object[]; meta?: { count?: number; hasNext?: boolean } }>;
    };
    subModels?: { actions?: Action | Action[] };
    flowEngine?: { getModel(uid: string): FilterField | undefined };
    context?: {
      /** Knows which fields of filter forms filter which blocks. */
      filterManager?: {
        getFilterConfigs(): { filterId: string; targetId: string; filterPaths?: string[] }[];
      };
    };
    /** Whether the block shows no rows until it is filtered. */
    getDataLoadingMode?(): 'auto' | 'manual';
    hasActiveFilters?(): boolean;
  }
  /** The context that a flow step runs in. */
  export interface FlowContext {
    /** The model that runs the flow, such as a button. */
    model?: {
      uid: string;
      hidden?: boolean;
      getStepParams(flow: string, step: string): Record<string, unknown> | undefined;
    };
    collection?: Collection;
    /** The button's row. */
    record?: object;
    /** The button's popup. */
    popup?: Promise<OpenPopup | undefined>;
    /** The button's block. */
    blockModel?: BlockModel;
    message: {
      success(shown: { key: string; content: string }): void;
      error(shown: { key: string; content: string; duration: number }): void;
    };
    viewer: { dialog(options: object): void };
    modal: { confirm(options: object): PromiseLike<boolean> };
    resolveJsonTemplate(template: object): Promise<unknown>;
    /** Ends the flow. */
    exit(): never;
  }
  export const ActionScene: { DYNAMIC_EVENT_FLOW: unknown };
  /** A text that NocoBase translates when it shows it. */
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
  export const Checkbox: unknown;
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
    /** Returns the value of a field, and renders again when it changes. */
    useWatch(name: string[]): unknown;
    Item: unknown;
  };
  export const AutoComplete: unknown;
  export const Dropdown: unknown;
  export const Typography: { Text: unknown; Paragraph: unknown };
  export const DatePicker: unknown;
  export const Input: { TextArea: unknown; Password: unknown };
  export const Alert: unknown;
  export const Button: unknown;
  export const Card: unknown;
  export const Collapse: unknown;
  export const ConfigProvider: unknown;
  export const Descriptions: unknown;
  export const Popconfirm: unknown;
  export const Progress: unknown;
  export const Select: unknown;
  export const Space: unknown;
  export const Spin: unknown;
  export const InputNumber: unknown;
  export const Switch: unknown;
  export const Table: unknown;
}

declare module 'dayjs' {
  export interface Dayjs {
    toISOString(): string;
    format(pattern: string): string;
  }
  export default function dayjs(text: string): Dayjs;
}
