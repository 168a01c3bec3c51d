// Loaded by every process of Saltcorn under test: each answer says which one gave it.
const { ServerResponse } = require('node:http');

const { writeHead } = ServerResponse.prototype;

ServerResponse.prototype.writeHead = function (...args) {
  this.setHeader('x-worker', process.pid);
  return writeHead.apply(this, args);
};
