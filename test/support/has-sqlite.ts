/** Whether this Node has SQLite. The oldest supported one has none; CI runs the tests with newer ones, too. */
export const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
