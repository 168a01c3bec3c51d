import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of NocoBase's server that the plugin uses. */
export interface Application {
  /** `main`, or the name of the sub-app. */
  name: string;
  db: Database;
  acl: Acl;
  /** Its key comes from a file or the environment. */
  aesEncryptor: { key: Uint8Array };
  authManager: { jwt: Tokens };
  dataSourceManager: {
    get(key: string): DataSource | undefined;
    registerDataSourceType(type: string, DataSourceClass: unknown): void;
  };
  resourceManager: {
    /** @param resource `only` lists the available actions, instead of those that each table has */
    define(resource: { name: string; actions: Record<string, Handler>; only: string[] }): void;
    /** @param action a resource and an action: `charts:queryData` */
    registerPreActionHandler(action: string, handler: Handler): void;
  };
  pm: { get(plugin: string): unknown };
  /** @param place the position in the middleware chain */
  use(middleware: Middleware, place: { tag: string; before: string }): void;
  on(event: string, listener: () => Promise<void>): void;
  logger: { warn(message: string): void; error(message: string): void };
}

/** A column of a collection. */
export interface CollectionField {
  name: string;
  type: string;
  options: {
    uiSchema?: { title?: string };
    /** The collection of a relation, and the columns that connect it. */
    target?: string;
    foreignKey?: string;
    targetKey?: string;
    sourceKey?: string;
  };
}

export interface Collection {
  name: string;
  repository: Repository;
  /** The key column; some tables have several. */
  filterTargetKey?: string | string[];
  options: { titleField?: string };
  model: {
    primaryKeyAttribute: string;
    create(values: object): Promise<unknown>;
    bulkCreate(rows: object[], options: { ignoreDuplicates: boolean }): Promise<unknown>;
    /** @returns the number of changed rows */
    update(values: object, options: { where: object }): Promise<[number]>;
    destroy(options: { where: object }): Promise<number>;
  };
  /** Creates the table and missing columns. */
  sync(): Promise<void>;
  existsInDb(): Promise<boolean>;
  /** Deletes the table and the collection. */
  removeFromDb(): Promise<void>;
  getField(name: string): CollectionField | undefined;
  getFields(): CollectionField[];
}

export interface DataSource {
  acl: { middleware(): (context: object, next: () => Promise<void>) => Promise<void> };
  collectionManager: {
    /** Only if the data source is a database. */
    db?: object;
    getCollection(name: string): Collection | undefined;
  };
}

/** Signs tokens, such as sessions. */
interface Tokens {
  sign(payload: object, options: { expiresIn: string }): string;
  /** Rejects if the token was not signed here or has expired. */
  decode(token: string): Promise<Record<string, unknown>>;
}

interface Acl {
  /** @returns the rights of the roles on an action; null if they have none */
  can(asked: { roles: string[]; resource: string; action: string }): object | null;
  /** @param condition who may, in addition to `root` */
  allow(
    resource: string,
    actions: string | string[],
    condition: 'public' | 'loggedIn' | ((context: Context) => boolean | Promise<boolean>),
  ): void;
  registerSnippet(snippet: { name: string; actions: string[] }): void;
}

/** A stored row. */
export interface Model {
  get(key: string): unknown;
  toJSON(): Record<string, unknown>;
  update(values: object): Promise<unknown>;
}

export interface Repository {
  find(options?: object): Promise<Model[]>;
  findOne(options: object): Promise<Model | null>;
  create(options: object): Promise<Model>;
  update(options: object): Promise<unknown>;
  destroy(options: object): Promise<unknown>;
  /** Converts filters to conditions for the model. */
  buildQueryOptions(options: { filter: object }): { where: object };
}

interface Database {
  collection(options: object): { repository: Repository };
  getCollection(name: string): Collection;
  removeCollection(name: string): void;
  getRepository(name: string): Repository;
  on(event: string, listener: (model: Model, options: object) => void | Promise<void>): void;
  /** Adds operators to the filters of tables. */
  registerOperators(operators: object): void;
}

export interface Context {
  action: { params: Record<string, unknown> & { values?: Record<string, unknown> } };
  state: {
    currentRoles?: string[];
    currentRole?: string;
    /** Messages that NocoBase shows with the response. */
    messages?: { message: string }[];
  };
  auth?: { user?: { id: number } };
  body: unknown;
  status: number;
  /** Translates a text into the language of the user. */
  t(text: string, options: object): string;
  /** If false, Koa writes no response. */
  respond: boolean;
  withoutDataWrapping?: boolean;
  req: IncomingMessage;
  res: ServerResponse;
  query: Record<string, unknown>;
  request?: { body?: Record<string, unknown> };
}

/** A request before NocoBase has read it. */
export interface RawContext {
  path: string;
  respond: boolean;
  req: IncomingMessage;
  res: ServerResponse;
}

export type Middleware = (context: RawContext, next: () => Promise<void>) => Promise<void>;

export type Handler = (context: Context, next: () => Promise<void>) => Promise<void>;
