import pino, { type DestinationStream } from 'pino';

/** Short enough not to be noticed. Even at low load it collects the lines of many calls: a write wakes a thread, and then the process. */
const BUFFER_MS = 100;

/**
 * Standard output with buffered lines: one write per line would cost a tenth of each call. A line after a pause is written at
 * once, and what is left is written at exit.
 */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: process.stdout.fd, sync: false });
  let lines = '';
  let isBuffering = false;
  const write = () => {
    isBuffering = lines !== '';
    if (!isBuffering) return;
    output.write(lines);
    lines = '';
    setTimeout(write, BUFFER_MS).unref();
  };
  process.once('exit', () => {
    if (lines !== '') output.write(lines);
    output.flushSync();
  });
  return {
    write: (line) => {
      lines += line;
      if (!isBuffering) write();
    },
  };
}
