const { statSync } = require('node:fs');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { OWN, SharedModules, isShared, requirePackage } = require('./shared-modules.cjs');

const JEST = '@jest/globals';
/** By file, for all spec files of this process. A file that has changed since is transformed and compiled again. */
const transformed = new Map();
const compiled = new Map();

/**
 * Jest's runtime, with what does not differ between spec files done once for each process: packages and the modules of services
 * are loaded once, and what specs are made of is compiled once, but runs anew for each spec file
 * (docs/decisions/0051-spec-files-share-what-does-not-differ.md).
 */
class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { watch, watchAll } = args.at(-1);
    keepTransformed(this.executor.transformCache);
    this.executor.compile = (source, filename) =>
      compile(source, filename, this.executor.injectedModuleParameters);
    this.shared = new SharedModules({
      isWatching: watch || watchAll,
      resolve: (from, name) => this.executor.resolution.resolveCjs(from, name),
      compiled: (filename) =>
        this.executor.compile(this.executor.transformCache.transform(filename), filename),
    });
  }

  requireModuleOrMock(from, name) {
    if (name === JEST) return super.requireModuleOrMock(from, name);
    if (!OWN.test(name)) return requirePackage(from, name);
    const file = this.executor.resolution.resolveCjs(from, name);
    return isShared(file) ? this.shared.load(file) : super.requireModuleOrMock(from, name);
  }
}

/** Jest itself reads what it transformed from its cache on the disk, for each spec file anew. */
function keepTransformed(cache) {
  const transform = cache.transform.bind(cache);
  // Stack traces are mapped by these, also those of modules that an earlier spec file loaded.
  for (const [filename, { entry }] of transformed) {
    cache.transforms.set(filename, entry);
    if (entry.sourceMapPath) cache.sourceMaps.set(filename, entry.sourceMapPath);
  }
  cache.transform = (filename, options) => {
    if (options?.isInternalModule) return transform(filename, options);
    const { mtimeMs } = statSync(filename);
    const before = transformed.get(filename);
    if (before?.mtimeMs === mtimeMs) return before.code;
    const code = transform(filename, options);
    transformed.set(filename, { mtimeMs, code, entry: cache.transforms.get(filename) });
    return code;
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
