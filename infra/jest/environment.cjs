const { PerformanceObserver } = require('node:perf_hooks');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where `jest.setTimeout` puts its argument, and Jest's runner looks when the tests of a file begin. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Where Jest's runner, which each spec file loads anew, keeps the tests of a file, and what handles their events. */
const OF_THE_RUNNER = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * What watches the process for metrics, as prom-client's observer of collections does. Nothing else ends it, and it keeps
 * all that its spec file has loaded.
 */
const observers = new Set();
const { observe } = PerformanceObserver.prototype;
PerformanceObserver.prototype.observe = function (...args) {
  observers.add(this);
  return observe.apply(this, args);
};

// A process that ends by itself frees its heap first. Jest waits 500 ms for that, and then reports a leak that is none.
if (process.send) process.once('beforeExit', () => process.exit());

const timerConfig = {
  idToRef: (id) => ({ id, ref: () => undefined, unref: () => undefined }),
  refToId: (timer) => timer?.id,
};

/**
 * Runs spec files in the main context of their process, not in a context of their own: what packages make and what specs
 * make has the same `Error` and `Array`, so that packages can stay loaded (runtime.cjs). Variables of the environment,
 * the console and `process.exit` are put back when a file ends.
 */
module.exports = class MainContextEnvironment {
  global = globalThis;
  #before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  constructor({ projectConfig: config }) {
    this.moduleMocker = new ModuleMocker(globalThis);
    const forFakes = { config, global: globalThis, moduleMocker: this.moduleMocker, timerConfig };
    this.fakeTimers = new LegacyFakeTimers(forFakes);
    this.fakeTimersModern = new ModernFakeTimers(forFakes);
    globalThis[TIMEOUT] = config.testEnvironmentOptions.timeoutMs;
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    for (const observer of observers) observer.disconnect();
    observers.clear();
    const { env, exit, console } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_THE_RUNNER.includes(key.description)) delete globalThis[key];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
