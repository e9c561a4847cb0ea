import { run } from './processes.mjs';
import { say, secondsSince, toolEnv } from './workspace.mjs';

const PROGRESS_INTERVAL_MS = 1_000;
const REWRITE_LINE = '\r\x1b[2K';

/**
 * Runs a step under a title. A terminal gets one line, rewritten until the step is done; a pipe gets a line at the
 * beginning and one at the end.
 * @param progress the progress, in a few words.
 */
export async function step(title, work, progress = () => '') {
  const startedAtMs = Date.now();
  const { isTTY } = process.stdout;
  const show = () => {
    const soFar = [progress(), `${Math.round((Date.now() - startedAtMs) / 1000)} s`].filter(Boolean);
    process.stdout.write(`${REWRITE_LINE}${title} … ${soFar.join(', ')}`);
  };
  if (isTTY) process.stdout.write(`${title} …`);
  else say(`${title} …`);
  const ticks = isTTY ? setInterval(show, PROGRESS_INTERVAL_MS) : undefined;
  // If this process ends during the step, the prompt still gets its own line.
  const endLine = () => say('');
  if (isTTY) process.once('exit', endLine);
  try {
    const result = await work();
    say(`${isTTY ? REWRITE_LINE : ''}${title}: done in ${secondsSince(startedAtMs)}`);
    return result;
  } catch (error) {
    if (isTTY) say('');
    throw error;
  } finally {
    clearInterval(ticks);
    process.off('exit', endLine);
  }
}

/**
 * A step that runs one tool.
 * @throws Error with the tool's whole output and its exit code, if it fails.
 */
export async function toolStep(title, command, args, { env = toolEnv, progress } = {}) {
  const output = [];
  await step(
    title,
    async () => {
      const code = await run(command, args, { env, onOutput: (chunk) => output.push(chunk) });
      if (code === 0) return;
      throw Object.assign(
        new Error(`${Buffer.concat(output)}\n${title}: failed (${[command, ...args].join(' ')})`),
        { code },
      );
    },
    progress,
  );
}

/** Where the work fails, its message is printed, and this process ends with its exit code. @returns its result. */
export async function orEnd(work) {
  try {
    return await work;
  } catch ({ code, message }) {
    process.stderr.write(`${message}\n`);
    process.exit(Number.isInteger(code) ? code : 1);
  }
}

/** A {@link toolStep} whose failure ends this process. */
export const quietly = (...args) => orEnd(toolStep(...args));
