const { readFileSync } = require('node:fs');

// The build's own settings, less what belongs to building: jest resolves the libs itself.
const swc = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const libs = swc.jsc.paths;
delete swc.jsc.paths;
delete swc.jsc.baseUrl;
delete swc.module.resolveFully;
delete swc.exclude;

module.exports = {
  // Not below TMPDIR, which `npm test` removes at its end.
  cacheDirectory: `${__dirname}/node_modules/.cache/jest`,
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  setupFiles: ['reflect-metadata'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleNameMapper: Object.fromEntries(
    Object.entries(libs).map(([name, [file]]) => [`^${name}$`, `<rootDir>/${file}`]),
  ),
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.nx', '<rootDir>/.svc'],
  passWithNoTests: false,
  testTimeout: 60_000,
  // A test file leaves some 20 MB behind. A collection of a large heap stops the process for a second, and on a busy
  // machine for so long that a wait for a database ends. So a worker whose heap is larger is replaced between two files.
  workerIdleMemoryLimit: '400MB',
};
