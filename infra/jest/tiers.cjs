/**
 * The tiers of specs, by the end of a file's name. CONTRIBUTING.md (#specs) says of each what it proves, which command
 * runs it, and how long it takes.
 */
const MINUTE_MS = 60_000;

/** `timeoutMs` is how long one test or hook may take: what waits for ever is red then. */
module.exports = {
  pure: { endings: [], timeoutMs: MINUTE_MS },
  store: { endings: ['store', 'int'], timeoutMs: 4 * MINUTE_MS, setUp: 'postgres.mjs' },
  e2e: { endings: ['e2e'], timeoutMs: 4 * MINUTE_MS, setUp: 'services.mjs' },
  start: { endings: ['start'], timeoutMs: 4 * MINUTE_MS, setUp: 'services.mjs' },
  page: { endings: ['page'], timeoutMs: 4 * MINUTE_MS, setUp: 'pages.mjs' },
  timing: { endings: ['timing'], timeoutMs: 4 * MINUTE_MS, setUp: 'embedded-servers.mjs' },
  fault: { endings: ['fault'], timeoutMs: 5 * MINUTE_MS, setUp: 'servers.mjs' },
  upgrade: { endings: ['upgrade'], timeoutMs: 10 * MINUTE_MS, setUp: 'two-versions.mjs' },
  heavy: { endings: ['heavy'], timeoutMs: 10 * MINUTE_MS, setUp: 'embedded-servers.mjs' },
};
