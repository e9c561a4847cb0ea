import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Chromium on the search path. @returns undefined where there is none: then specs of pages are skipped, but not in CI. */
export const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

export const isContinuousIntegration = process.env['CI'] !== undefined;

/** Whether every state of every page is looked at, in each theme and width: `npm run test:console`. */
export const looksAtAll = process.env['CONSOLE_LOOKS'] === 'all';

/** Whether nothing else runs: then times are held to the numbers that users are promised (CONTRIBUTING.md). */
export const isQuietMachine = (process.env['SVC_TEST_QUIET_MACHINE'] ?? '') !== '';
