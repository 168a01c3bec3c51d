import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** @type {Map<string | undefined, { code: string, script?: vm.Script | undefined }>} */
const known = new Map();
const { compileFunction } = vm;

/**
 * Compiles a module once for all test files of a worker: jest calls this for each file and module.
 *
 * @type {typeof compileFunction}
 */
vm.compileFunction = (code, parameters = [], options = {}) => {
  const { filename, parsingContext } = options;
  if (!parsingContext) return compileFunction(code, parameters, options);
  let module = known.get(filename);
  if (module?.code !== code) {
    const whole = `(function (${parameters}) {\n${code}\n})`;
    // `import()` needs the importer of its own test file.
    const script = /\bimport\s*\(/.test(code)
      ? undefined
      : new vm.Script(whole, { filename, lineOffset: -1 });
    module = { code, script };
    known.set(filename, module);
  }
  return module.script?.runInContext(parsingContext) ?? compileFunction(code, parameters, options);
};

export { TestEnvironment };
export default TestEnvironment;
