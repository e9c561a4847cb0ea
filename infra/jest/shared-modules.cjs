const { readFileSync, statSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { dirname, extname, relative, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
/** What specs are made of: it knows the file that runs (`afterAll`, `expect`), or is the browser's. */
const OF_SPECS = /^apps\/(?:e2e|console)\/|^libs\/testing\/|\/testing\/|\.(?:spec|contract)\.tsx?$/;
const OF_SERVICES = /^(?:apps|libs)\/[^/]+\/src\//;
const OWN = /^[./]|^@svc\//;

/** By file, for all spec files of this process. */
const modules = new Map();
const requires = new Map();

/** A package, or a module of Node.js, as Node.js itself loads it for that file. */
function requirePackage(file, name) {
  if (isBuiltin(name)) return require(name);
  if (!requires.has(file)) requires.set(file, createRequire(file));
  return requires.get(file)(name);
}

function isShared(file) {
  const path = relative(root, file).replaceAll('\\', '/');
  return OF_SERVICES.test(path) && !OF_SPECS.test(path);
}

/**
 * Modules of the services and their libs: one of each for all spec files of this process, as a service has one. They keep no
 * state (docs/decisions/0068-modules-without-state-are-loaded-once.md).
 */
class SharedModules {
  /**
   * @param runtime of the spec file that runs: `resolve(from, name)`, and `compiled(file, parameters)`, its function. With
   *   `isWatching`, this process runs specs again after files were edited.
   */
  constructor(runtime) {
    this.runtime = runtime;
    // Only then: it looks at each file, and there are some 1,400.
    if (runtime.isWatching)
      for (const [file, { mtimeMs }] of modules) if (statSync(file).mtimeMs !== mtimeMs) modules.clear();
  }

  load(file) {
    const known = modules.get(file);
    if (known !== undefined) return known.module.exports;
    const module = {
      id: file,
      filename: file,
      path: dirname(file),
      exports: {},
      children: [],
      loaded: false,
    };
    module.require = this.requireFor(file);
    modules.set(file, { module, mtimeMs: statSync(file).mtimeMs });
    try {
      this.run(module);
    } catch (error) {
      modules.delete(file);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  run(module) {
    const { filename } = module;
    if (extname(filename) === '.json') module.exports = JSON.parse(readFileSync(filename, 'utf8'));
    else
      this.runtime
        .compiled(filename)
        .call(module.exports, module, module.exports, module.require, module.path, filename);
  }

  requireFor(file) {
    const require = (name) => {
      if (!OWN.test(name)) return requirePackage(file, name);
      const required = this.runtime.resolve(file, name);
      if (isShared(required)) return this.load(required);
      throw new Error(`${file} requires ${name}, which is of specs.`);
    };
    return Object.assign(require, { resolve: createRequire(file).resolve });
  }
}

module.exports = { OWN, SharedModules, isShared, requirePackage };
