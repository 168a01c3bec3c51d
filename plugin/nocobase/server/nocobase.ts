import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of NocoBase's server that the plugin stands on. */
export interface Application {
  db: Database;
  acl: Acl;
  aesEncryptor: {
    encrypt(text: string): Promise<string>;
    decrypt(text: string): Promise<string>;
    /** From a file or the environment. */
    key: Uint8Array;
  };
  authManager: { jwt: Tokens };
  dataSourceManager: {
    get(key: string): DataSource | undefined;
    registerDataSourceType(type: string, DataSourceClass: unknown): void;
  };
  resourceManager: {
    /** @param resource `only` these actions are there, and none of those that each table has */
    define(resource: { name: string; actions: Record<string, Handler>; only: string[] }): void;
  };
  pm: { get(plugin: string): unknown };
  /** @param place where it stands among all that a request goes through */
  use(middleware: Middleware, place: { tag: string; before: string }): void;
  on(event: string, listener: () => Promise<void>): void;
  logger: { warn(message: string): void; error(message: string): void };
}

/** A column of a collection. */
export interface CollectionField {
  name: string;
  type: string;
  options: { uiSchema?: { title?: string } };
}

export interface Collection {
  name: string;
  repository: Repository;
  /** The column by whose values rows are found; some tables have several. */
  filterTargetKey?: string | string[];
  options: { titleField?: string };
  model: {
    primaryKeyAttribute: string;
    create(values: object): Promise<unknown>;
    bulkCreate(rows: object[], options: { ignoreDuplicates: boolean }): Promise<unknown>;
    /** @returns how many rows were changed */
    update(values: object, options: { where: object }): Promise<[number]>;
    destroy(options: { where: object }): Promise<number>;
  };
  /** Makes the table, and the columns that it lacks. */
  sync(): Promise<void>;
  /** Whether its table exists. */
  existsInDb(): Promise<boolean>;
  /** Deletes its table, and the collection. */
  removeFromDb(): Promise<void>;
  getField(name: string): CollectionField | undefined;
  getFields(): CollectionField[];
}

export interface DataSource {
  acl: { middleware(): (context: object, next: () => Promise<void>) => Promise<void> };
  collectionManager: {
    /** That of a data source that is one. */
    db?: object;
    getCollection(name: string): Collection | undefined;
  };
}

/** Signs what says by itself what it is for, such as sessions. */
interface Tokens {
  sign(payload: object, options: { expiresIn: string }): string;
  /** Rejects what was not signed here, or is too old. */
  decode(token: string): Promise<Record<string, unknown>>;
}

interface Acl {
  /** What roles may do with an action; null if nothing. */
  can(asked: { roles: string[]; resource: string; action: string }): object | null;
  /** @param condition who may, besides `root` */
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
  /** What its filters are for the model. */
  buildQueryOptions(options: { filter: object }): { where: object };
}

interface Database {
  collection(options: object): { repository: Repository };
  getCollection(name: string): Collection;
  removeCollection(name: string): void;
  getRepository(name: string): Repository;
  on(event: string, listener: (model: Model, options: object) => void | Promise<void>): void;
}

export interface Context {
  action: { params: Record<string, unknown> & { values?: Record<string, unknown> } };
  state: {
    currentRoles?: string[];
    currentRole?: string;
    /** What NocoBase shows with the answer. */
    messages?: { message: string }[];
  };
  auth?: { user?: { id: number } };
  body: unknown;
  status: number;
  /** Koa writes no answer when it is false. */
  respond: boolean;
  withoutDataWrapping?: boolean;
  req: IncomingMessage;
  res: ServerResponse;
  query: Record<string, unknown>;
}

/** A request before NocoBase has read anything of it. */
export interface RawContext {
  path: string;
  respond: boolean;
  req: IncomingMessage;
  res: ServerResponse;
}

export type Middleware = (context: RawContext, next: () => Promise<void>) => Promise<void>;

export type Handler = (context: Context, next: () => Promise<void>) => Promise<void>;
