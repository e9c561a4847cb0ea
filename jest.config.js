const { randomInt } = require('node:crypto');
const { readFileSync } = require('node:fs');
const tiers = require('./infra/jest/tiers.cjs');

/** Fixed, so that a run is like the one before. */
const SEED = 20_260_101;
// Chosen here, once for all processes of a run.
if (process.env.SVC_TEST_SEED === 'random') {
  process.env.SVC_TEST_SEED = String(randomInt(2 ** 31));
  console.log(`SVC_TEST_SEED=${process.env.SVC_TEST_SEED}`);
}
process.env.SVC_TEST_SEED ||= String(SEED);
if (!Number.isSafeInteger(Number(process.env.SVC_TEST_SEED)))
  throw new Error(`SVC_TEST_SEED: ${process.env.SVC_TEST_SEED} is no number and not random.`);

// The build's own settings, less what belongs to building: jest resolves the libs itself.
const swc = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const libs = swc.jsc.paths;
delete swc.jsc.paths;
delete swc.jsc.baseUrl;
delete swc.module.resolveFully;
delete swc.exclude;

const everyEnding = Object.values(tiers).flatMap(({ endings }) => endings);
const specsOf = ({ endings }) =>
  endings.length > 0
    ? [...endings.map((ending) => `**/*.${ending}.spec.{ts,tsx}`)]
    : ['**/*.spec.{ts,tsx}', `!**/*.{${everyEnding.join()}}.spec.{ts,tsx}`];

const projectOf = ([name, tier]) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: specsOf(tier),
  // Not below TMPDIR, which `npm test` removes at its end.
  cacheDirectory: `${__dirname}/node_modules/.cache/jest`,
  testEnvironment: `${__dirname}/infra/jest/environment.cjs`,
  testEnvironmentOptions: { timeoutMs: tier.timeoutMs },
  runtime: `${__dirname}/infra/jest/runtime.cjs`,
  setupFiles: ['reflect-metadata', `${__dirname}/infra/jest/property-seed.cjs`],
  setupFilesAfterEnv: [`${__dirname}/infra/jest/expect.cjs`],
  ...(tier.setUp === undefined ? {} : { globalSetup: `${__dirname}/infra/jest/set-up/${tier.setUp}` }),
  transform: { '^.+\\.tsx?$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleNameMapper: Object.fromEntries(
    Object.entries(libs).map(([name, [file]]) => [`^${name}$`, `<rootDir>/${file}`]),
  ),
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.nx', '<rootDir>/.svc'],
});

module.exports = {
  projects: Object.entries(tiers).map(projectOf),
  globalTeardown: `${__dirname}/infra/jest/set-up/tear-down.mjs`,
  passWithNoTests: false,
  testSequencer: `${__dirname}/infra/jest/sequencer.cjs`,
  // More than two cores: specs wait for a database, a service or a time-out a part of their time. Six took 15 % longer.
  maxWorkers: 4,
  // What spec files leave behind is little, but a wait for a database can end while a large heap is collected.
  workerIdleMemoryLimit: '1500MB',
  reporters: ['default', `${__dirname}/infra/jest/summary-reporter.cjs`],
};
