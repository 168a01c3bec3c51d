function fail(): never {
  throw new Error('Pass an HTTP function.');
}

/** Instead of what all accounts of a builder replace by an HTTP function: axios in NocoBase, also `node:http` in n8n. */
export { fail as clientOf, fail as nodeHttp };
