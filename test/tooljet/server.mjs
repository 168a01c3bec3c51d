/**
 * Runs queries like ToolJet's server: evaluates the plugin's code for each, in one of the ways of its versions, creates its service and
 * calls it.
 */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

const [path = '', way] = process.argv.slice(2);
const code = readFileSync(path, 'utf8');
const require = createRequire(import.meta.url);

/** What ToolJet gives a plugin that it evaluates in a context. */
const names = [
  ...['process', 'console', 'Buffer', 'TextEncoder', 'TextDecoder', 'atob', 'btoa'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
  ...['clearImmediate', 'URL', 'URLSearchParams', 'fetch', 'Headers', 'Request', 'Response'],
  ...['FormData', 'crypto', 'ReadableStream', 'WritableStream', 'TransformStream', 'performance'],
  ...['Event', 'EventTarget', 'AbortController', 'AbortSignal', 'Blob', 'File'],
  ...['structuredClone', 'WebAssembly', 'Intl', 'Promise', 'ArrayBuffer', 'SharedArrayBuffer'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
  ...['DataView', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Error', 'EvalError', 'RangeError'],
  ...['ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'JSON', 'Math', 'Reflect'],
  ...['Proxy', 'global'],
];

function inContext() {
  /** @type {{ exports: any }} */
  const module = { exports: {} };
  const known = names.map((name) => [name, Reflect.get(globalThis, name)]);
  runInNewContext(code, {
    ...{ module, exports: module.exports, require },
    ...Object.fromEntries(known),
  });
  return module.exports;
}

function asModule() {
  const module = new Module(path);
  // @ts-expect-error A method of Node's that packages use, and ToolJet by them.
  module._compile(code, path);
  return module.exports;
}

/** What ToolJet answers if a query fails. */
function failed(/** @type {any} */ error) {
  const { message, description, data } = error;
  if (error.constructor.name !== 'QueryError') return { status: 'failed', message: 'Internal' };
  return { status: 'failed', message, description, data };
}

process.on('message', async (/** @type {any} */ { id, method, parameters }) => {
  const { default: Service } = way === 'context' ? inContext() : asModule();
  const result = await new Service()[method](...parameters).catch(failed);
  process.send?.({ id, result });
});
