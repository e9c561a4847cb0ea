/** The address of the browser of this run; empty where the machine has none. */
export const browserOfThisRun = process.env['SVC_TEST_BROWSER'] ?? '';

export const isContinuousIntegration = (process.env['CI'] ?? '') !== '';

/** Whether every state of every page is looked at, in each theme and width: `npm run test:console`. */
export const looksAtAll = process.env['CONSOLE_LOOKS'] === 'all';

/** Whether nothing else runs: then times are held to the numbers that users are promised (CONTRIBUTING.md). */
export const isQuietMachine = (process.env['SVC_TEST_QUIET_MACHINE'] ?? '') !== '';
