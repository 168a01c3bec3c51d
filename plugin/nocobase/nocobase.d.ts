declare module '@nocobase/server' {
  export class Plugin {
    app: import('./server/nocobase.ts').Application;
    beforeLoad(): Promise<void>;
    load(): Promise<void>;
    afterEnable(): Promise<void>;
    afterDisable(): Promise<void>;
    beforeRemove(): Promise<void>;
  }
}

declare module '@nocobase/data-source-manager' {
  export class CollectionManager {
    dataSource: DataSource;
    registerRepositories(repositories: Record<string, unknown>): void;
    defineCollection(options: object): object;
  }
  export class DataSource {
    get name(): string;
    collectionManager: CollectionManager;
    createCollectionManager(options?: object): CollectionManager;
    load(): Promise<void>;
  }
}
