import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { jestArguments } from './jest.mjs';
import { run } from './processes.mjs';
import { say, secondsSince, serviceNode, toolEnv } from './workspace.mjs';

const { linesAbout } = createRequire(import.meta.url)('../jest/spec-summary.cjs');

/** A phase of Nx: this target of every project that has it. */
export const targets = (name, ...flags) => ({
  command: ['nx', 'run-many', '-t', name, ...flags, '--parallel=2', '--output-style=static'],
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

/**
 * Runs the phases one after another, even after a failure. A phase beside others begins in its turn, and those after it do not
 * wait for it. Then it ends this process with a report: the slowest spec files and how to run a failed one again, the time of each
 * phase, what could not be run, and how many specs passed. Within a phase of another script the slowest files are left to that one.
 */
export async function runPhases(phases, { env = toolEnv } = {}) {
  const summary = summaryFile();
  const report = new Report();
  const phasesBeside = [];
  for (const [name, phase] of Object.entries(phases)) {
    const running = runPhase(name, phase, { ...env, SVC_SPEC_SUMMARY: summary.path }, report);
    if (phase.isBeside) phasesBeside.push(running);
    else await running;
  }
  for (const output of await Promise.all(phasesBeside)) say(output);
  say([...summary.lines(), '', ...report.lines()].join('\n'));
  process.exit(report.isRed ? 1 : 0);
}

/** @returns its title and output, which are shown meanwhile, but for those of a phase beside others. */
async function runPhase(name, { command: [program, ...args], env: more, isBeside = false }, env, report) {
  const startedAtMs = Date.now();
  const title = `\n── ${name}`;
  let output = '';
  if (!isBeside) say(title);
  const code = await run(program, args, {
    env: { ...env, ...more },
    yields: isBeside,
    onOutput: (chunk) => {
      if (!isBeside) process.stdout.write(chunk);
      output += chunk;
    },
  });
  report.add({ name, code, output, time: secondsSince(startedAtMs) });
  return `${title}\n${output}`;
}

/** The file that notes the spec files of every phase: that of the script which this is a phase of, or a new one. */
function summaryFile() {
  const { SVC_SPEC_SUMMARY: outer } = process.env;
  if (outer !== undefined) return { path: outer, lines: () => [] };
  const folder = mkdtempSync(join(tmpdir(), 'svc-phases-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'spec-files');
  const read = () =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { path, lines: () => (existsSync(path) ? linesAbout(read()) : []) };
}

/** The line of a set-up that cannot bring what specs need. */
const NOT_RUN = /^NOT RUN .+$/gm;
/** The end of Jest's output. */
const SUMMARY = /^Test Suites:(?<suites>.*)\n^Tests:(?<tests>.*)/gm;

/** The ends of the phases, and the sums of their specs. */
class Report {
  phases = [];
  notRun = new Set();
  passed = 0;
  failed = 0;
  skipped = 0;

  add({ name, code, output, time }) {
    this.phases.push({ name, time, isRed: code !== 0 });
    const text = stripVTControlCharacters(output);
    for (const [line] of text.matchAll(NOT_RUN)) this.notRun.add(line);
    for (const { groups } of text.matchAll(SUMMARY)) this.count(groups);
  }

  count({ suites, tests }) {
    const number = (line, word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
    this.passed += number(tests, 'passed');
    this.skipped += number(tests, 'skipped');
    // A suite that failed to load has no tests to count.
    this.failed += number(tests, 'failed') || number(suites, 'failed');
  }

  get isRed() {
    return this.failed > 0 || this.phases.some(({ isRed }) => isRed);
  }

  lines() {
    return [
      ...this.phases.map(({ name, time, isRed }) => `${isRed ? 'FAILED' : 'ok    '} ${name} (${time})`),
      ...this.notRun,
      `${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`,
    ];
  }
}
