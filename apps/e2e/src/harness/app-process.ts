import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanEnvironment, fuzzerOfThisRun, pythonOfThisRun } from './config';

/** The repository's root: jest runs there, and so do users. */
export const workspaceRoot = process.cwd();

const running = new Set<ChildProcess>();

// A spec that fails half-way stops none of its processes, and jest would wait for them.
afterAll(async () => {
  await Promise.all(Array.from(running, killed));
});

export interface Output {
  text: string;
}

/** Starts a built app, or another of its programs. @param build the folder whose `dist/` it is of. */
export const spawnApp = (
  app: string,
  env: Readonly<Record<string, string>>,
  program = 'main.js',
  build = workspaceRoot,
) => spawnProgram([programOf(app, program)], env, build);

/** The path of a built program. */
export const programOf = (app: string, program = 'main.js'): string => join('dist/apps', app, 'src', program);

/** Starts a program of the repository with a clean environment, without the caller's own settings and keys. */
export const spawnProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = workspaceRoot,
): ChildProcess => kept(spawnLasting(args, env, cwd));

/** The same, but it outlives the spec file: whoever calls this must end it. */
export const spawnLasting = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = workspaceRoot,
): ChildProcess =>
  spawn(process.execPath, args, { cwd, env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });

/** Starts a program that the run has installed, and that is no program of Node.js. */
export const spawnInstalled = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): ChildProcess =>
  kept(spawn(program, args, { cwd, env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] }));

/** Starts a program of the Python that has the clients (`npm run test:clients`). */
export function spawnPython(args: readonly string[]): ChildProcessWithoutNullStreams {
  if (pythonOfThisRun === null) throw new Error('This run has no Python: see npm run test:clients.');
  const env = cleanEnvironment({ PYTHONDONTWRITEBYTECODE: '1' });
  return kept(spawn(pythonOfThisRun, args, { cwd: workspaceRoot, env }));
}

/** Starts Schemathesis (`npm run test:fuzz`). */
export function spawnFuzzer(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  if (fuzzerOfThisRun === null) throw new Error('This run has no fuzzer: see npm run test:fuzz.');
  // Jest's own setting would have it draw.
  const clean = cleanEnvironment({ PYTHONDONTWRITEBYTECODE: '1', FORCE_COLOR: '', TERM: 'dumb', ...env });
  return kept(
    spawn(fuzzerOfThisRun, args, { cwd: workspaceRoot, env: clean, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

function kept<C extends ChildProcess>(child: C): C {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Collects what it prints, in order of arrival. */
export function outputOf(
  child: ChildProcess,
  names: readonly ('stdout' | 'stderr')[] = ['stdout', 'stderr'],
): Output {
  const output: Output = { text: '' };
  for (const name of names)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  return output;
}

/**
 * The output of a program until it ends well. It may take as long as its test.
 * @throws Error with all that it printed where it does not.
 */
export async function printedBy(child: ChildProcess): Promise<string> {
  const [printed, problems] = [outputOf(child, ['stdout']), outputOf(child, ['stderr'])];
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return printed.text;
  throw new Error(`It exited with ${String(code)}. It printed:\n${printed.text}\n${problems.text}`);
}

/** A busy machine takes minutes for what takes seconds on a quiet one. */
export const START_TIMEOUT_MS = 180_000;

/** Waits for a line of the child's output; returns its first group. @throws Error with the output when the child exits first. */
export function firstMatch(child: ChildProcess, output: Output, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = pattern.exec(output.text)?.[1];
      if (found !== undefined) settle(resolve, found);
    };
    const fail = (why: string) => {
      child.kill('SIGKILL');
      settle(reject, new Error(`The app ${why}. It printed:\n${output.text}`));
    };
    const timer = setTimeout(
      fail,
      START_TIMEOUT_MS,
      `did not print ${String(pattern)} in ${String(START_TIMEOUT_MS)} ms`,
    );
    const exited = (code: number | null) => {
      fail(`exited with ${String(code)}`);
    };
    function settle<T>(how: (value: T) => void, value: T) {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.off('exit', exited);
      how(value);
    }
    child.stdout?.on('data', look);
    child.once('exit', exited);
    look();
  });
}

const EXIT_TIMEOUT_MS = 120_000;

/** Sends the signal, if any, and waits for the exit code; null when a signal ended the process. */
export async function exitOf(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(EXIT_TIMEOUT_MS) });
  if (signal !== undefined) child.kill(signal);
  try {
    return ((await exit) as [number | null])[0];
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`The app did not end within ${String(EXIT_TIMEOUT_MS)} ms.`, { cause });
  }
}

export async function killed(child: ChildProcess): Promise<void> {
  await exitOf(child, 'SIGKILL');
}
