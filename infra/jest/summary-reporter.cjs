const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { linesAbout } = require('./spec-summary.cjs');

/** A run of fewer files has said all in Jest's own lines. */
const SUMMED_FROM = 20;

/** Jest's reporter of what the end of a run says. A command of several phases collects it in a file, and says it once. */
module.exports = class SummaryReporter {
  onRunComplete(_, { testResults }) {
    const files = testResults
      .filter(({ skipped }) => !skipped)
      .map(({ testFilePath, perfStats, numFailingTests, testExecError }) => ({
        path: relative(process.cwd(), testFilePath),
        seconds: perfStats.runtime / 1000,
        hasFailed: numFailingTests > 0 || Boolean(testExecError),
      }));
    if (files.length === 0) return;
    const collected = process.env.SVC_SPEC_SUMMARY;
    if (collected !== undefined)
      appendFileSync(collected, files.map((file) => `${JSON.stringify(file)}\n`).join(''));
    else if (files.length >= SUMMED_FROM) process.stdout.write(`${linesAbout(files).join('\n')}\n`);
  }
};
