// Loaded by every process of Saltcorn under test: each answer says which one gave it.
import { ServerResponse } from 'node:http';

const { writeHead } = ServerResponse.prototype;

/** @type {(this: ServerResponse, ...args: unknown[]) => ServerResponse} */
ServerResponse.prototype.writeHead = function (...args) {
  this.setHeader('x-worker', process.pid);
  return Reflect.apply(writeHead, this, args);
};
