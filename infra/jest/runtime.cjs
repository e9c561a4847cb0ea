const { statSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const OWN = /^[./]|^@svc\//;
const JEST = '@jest/globals';
/** By file, for all spec files of this process. A file that has changed since is transformed and compiled again. */
const transformed = new Map();
const compiled = new Map();
const requires = new Map();

/**
 * Jest's runtime, with what does not differ between spec files done once for each process: packages are loaded once, as
 * Node.js loads them, and files of the workspace are compiled once. Each spec file still runs the workspace's modules
 * anew, so that their state is its own (docs/decisions/0051-spec-files-share-what-does-not-differ.md).
 */
class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    keepTransformed(this.executor.transformCache);
    this.executor.compile = (source, filename) =>
      compile(source, filename, this.executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    if (OWN.test(name) || name === JEST) return super.requireModuleOrMock(from, name);
    return isBuiltin(name) ? require(name) : requireFrom(from)(name);
  }
}

function requireFrom(file) {
  if (!requires.has(file)) requires.set(file, createRequire(file));
  return requires.get(file);
}

/** Jest itself reads what it transformed from its cache on the disk, for each spec file anew. */
function keepTransformed(cache) {
  const transform = cache.transform.bind(cache);
  cache.transform = (filename, options) => {
    if (options?.isInternalModule) return transform(filename, options);
    const { mtimeMs } = statSync(filename);
    const before = transformed.get(filename);
    if (before?.mtimeMs !== mtimeMs) {
      const code = transform(filename, options);
      transformed.set(filename, { mtimeMs, code, entry: cache.transforms.get(filename) });
      return code;
    }
    // Stack traces are mapped by these.
    cache.transforms.set(filename, before.entry);
    if (before.entry.sourceMapPath) cache.sourceMaps.set(filename, before.entry.sourceMapPath);
    return before.code;
  };
}

function compile(source, filename, parameters) {
  const before = compiled.get(filename);
  if (before?.source === source) return before.run;
  const run = vm.compileFunction(source, parameters, {
    filename,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  compiled.set(filename, { source, run });
  return run;
}

module.exports = { __esModule: true, default: SharedPackagesRuntime };
