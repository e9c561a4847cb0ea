import pino, { type DestinationStream } from 'pino';

/** Long enough to gather the lines of many calls, too short for anyone to miss them. */
const GATHER_MS = 10;

/**
 * Standard output, one write for all lines of a moment: a busy process ends many calls in one, and a write a line would
 * be a tenth of each call. What is left is written at the exit.
 */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: process.stdout.fd, sync: false });
  let lines = '';
  const write = () => {
    output.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    write();
    output.flushSync();
  });
  return {
    write: (line) => {
      if (lines === '') setTimeout(write, GATHER_MS);
      lines += line;
    },
  };
}
