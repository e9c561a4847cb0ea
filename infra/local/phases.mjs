import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { jestArguments } from './jest.mjs';
import { run } from './processes.mjs';
import { say, secondsSince, serviceNode, toolEnv } from './workspace.mjs';

const { linesAbout } = createRequire(import.meta.url)('../jest/spec-summary.cjs');

/** A phase of Nx: these targets of every project that has them. */
export const targets = (...names) => ({
  command: ['nx', 'run-many', '-t', ...names, '--parallel=2', '--output-style=static'],
});

/** A phase of Jest (`jestArguments`), with the variables that it alone has. */
export const specs = (selection, env = {}) => ({
  command: [serviceNode(), ...jestArguments(selection)],
  env,
});

/** A phase that is another script of package.json. */
export const script = (...args) => ({ command: [process.execPath, 'infra/local/run.mjs', ...args] });

/** The same phase beside those after it: it takes the processor that they leave, and its output is shown after theirs. */
export const beside = (phase) => ({ ...phase, isBeside: true });

/** What a set-up says where it cannot bring what specs need. */
const NOT_RUN = /^NOT RUN .+$/gm;

/**
 * Runs every phase, one after another and even after a failure, and ends this process with a report: the slowest spec files and how to run a
 * failed one again, the time of each phase, what could not be run, and how many specs passed. Within a phase of another
 * script the slowest files are left to that one.
 */
export async function runPhases(phases, { env = toolEnv } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-phases-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outer = process.env.SVC_SPEC_SUMMARY;
  const summary = outer ?? join(folder, 'spec-files');
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const notRun = new Set();
  const report = [];
  let isRed = false;
  const runPhase = async (name, { command: [program, ...args], env: more, isBeside = false }) => {
    const startedAtMs = Date.now();
    const title = `\n── ${name}`;
    let output = '';
    if (!isBeside) say(title);
    const code = await run(program, args, {
      env: { ...env, ...more, SVC_SPEC_SUMMARY: summary },
      yields: isBeside,
      onOutput: (chunk) => {
        if (!isBeside) process.stdout.write(chunk);
        output += chunk;
      },
    });
    count(output, totals);
    for (const [line] of stripVTControlCharacters(output).matchAll(NOT_RUN)) notRun.add(line);
    isRed ||= code !== 0;
    report.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(startedAtMs)})`);
    return `${title}\n${output}`;
  };
  const phasesBeside = [];
  for (const [name, phase] of Object.entries(phases)) {
    const running = runPhase(name, phase);
    if (phase.isBeside) phasesBeside.push(running);
    else await running;
  }
  for (const output of await Promise.all(phasesBeside)) say(output);
  if (outer === undefined && existsSync(summary)) say(linesAbout(readSummary(summary)).join('\n'));
  say(`\n${[...report, ...notRun].join('\n')}`);
  say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exit(isRed || totals.failed > 0 ? 1 : 0);
}

const readSummary = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Adds up Jest's summaries. */
function count(output, totals) {
  const number = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  const summaries = stripVTControlCharacters(output).matchAll(
    /^Test Suites:(?<suites>.*)\n^Tests:(?<tests>.*)/gm,
  );
  for (const { groups } of summaries) {
    totals.passed += number(groups.tests, 'passed');
    totals.skipped += number(groups.tests, 'skipped');
    // A suite that failed to load has no tests to count.
    totals.failed += number(groups.tests, 'failed') || number(groups.suites, 'failed');
  }
}
