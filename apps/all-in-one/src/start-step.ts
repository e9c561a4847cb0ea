const REWRITE_LINE = '\r\x1b[2K';

/**
 * Runs a step of the start and prints its name. A terminal gets one line, which finally shows how long the step took; a
 * pipe gets two.
 */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { stdout } = process;
  const startedAt = performance.now();
  stdout.write(`${what} …${stdout.isTTY ? '' : '\n'}`);
  try {
    const result = await work();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    stdout.write(`${stdout.isTTY ? REWRITE_LINE : ''}${what}: done in ${seconds} s\n`);
    return result;
  } catch (error) {
    if (stdout.isTTY) stdout.write('\n');
    throw error;
  }
}
