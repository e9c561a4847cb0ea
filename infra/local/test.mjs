// `npm test [-- arguments for Nx]`: everything that can be checked without a server beyond the embedded ones.
import { stripVTControlCharacters } from 'node:util';
import { install, run, say, secondsSince, serviceNode } from './workspace.mjs';

const forNx = ['--parallel=2', '--output-style=static', ...process.argv.slice(2)];
const phases = {
  typecheck: ['run', 'workspace:typecheck'],
  lint: ['run-many', '-t', 'lint'],
  'unit and integration tests': ['run-many', '-t', 'test', '--exclude=e2e'],
  'end-to-end tests': ['run', 'e2e:test'],
};

await install();
serviceNode();
const totals = { passed: 0, failed: 0 };
const report = [];
let isRed = false;
for (const [name, nxArgs] of Object.entries(phases)) {
  const startedAtMs = Date.now();
  say(`\n── ${name}: nx ${nxArgs.join(' ')}`);
  let output = '';
  const code = await run('nx', [...nxArgs, ...forNx], {
    onOutput: (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
    },
  });
  count(output);
  isRed ||= code !== 0;
  report.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(startedAtMs)})`);
}
say(`\n${report.join('\n')}`);
say(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(isRed || totals.failed > 0 ? 1 : 0);

/** Adds up jest's summaries, which Nx repeats as they were when it takes a result from its cache. */
function count(output) {
  const number = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  const summaries = stripVTControlCharacters(output).matchAll(
    /^Test Suites:(?<suites>.*)\n^Tests:(?<tests>.*)/gm,
  );
  for (const { groups } of summaries) {
    totals.passed += number(groups.tests, 'passed');
    // A suite that could not be loaded has no test to count.
    totals.failed += number(groups.tests, 'failed') || number(groups.suites, 'failed');
  }
}
