import { stripVTControlCharacters } from 'node:util';
import { run } from './processes.mjs';
import { say, secondsSince, toolEnv } from './workspace.mjs';

/**
 * Runs every phase, even after a failure, and ends this process with a report: the time of each, and how many specs
 * passed.
 */
export async function runPhases(phases, { env = toolEnv } = {}) {
  const forNx = ['--parallel=2', ...process.argv.slice(2)];
  const totals = { passed: 0, failed: 0 };
  const report = [];
  let isRed = false;
  for (const [name, nxArgs] of Object.entries(phases)) {
    const startedAtMs = Date.now();
    say(`\n── ${name}: nx ${nxArgs.join(' ')}`);
    let output = '';
    const code = await run('nx', [...nxArgs, `--output-style=${outputStyleOf(nxArgs)}`, ...forNx], {
      env,
      onOutput: (chunk) => {
        process.stdout.write(chunk);
        output += chunk;
      },
    });
    count(output, totals);
    isRed ||= code !== 0;
    report.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(startedAtMs)})`);
  }
  say(`\n${report.join('\n')}`);
  say(`${totals.passed} passed, ${totals.failed} failed`);
  process.exit(isRed || totals.failed > 0 ? 1 : 0);
}

/** One target takes minutes and shows its progress; what many targets print beside each other stays together. */
const outputStyleOf = ([command]) => (command === 'run' ? 'stream-without-prefixes' : 'static');

/** Adds up jest's summaries, which Nx repeats for results from its cache. */
function count(output, totals) {
  const number = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  const summaries = stripVTControlCharacters(output).matchAll(
    /^Test Suites:(?<suites>.*)\n^Tests:(?<tests>.*)/gm,
  );
  for (const { groups } of summaries) {
    totals.passed += number(groups.tests, 'passed');
    // A suite that failed to load has no tests to count.
    totals.failed += number(groups.tests, 'failed') || number(groups.suites, 'failed');
  }
}
