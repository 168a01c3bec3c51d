/** The part of Node's SQLite that the store uses; the types of the oldest supported Node don't have it. */
declare module 'node:sqlite' {
  type Value = string | number | null;

  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): {
      get(...values: Value[]): Record<string, Value> | undefined;
      all(...values: Value[]): Record<string, Value>[];
      run(...values: Value[]): { changes: number | bigint };
    };
    close(): void;
  }
}
