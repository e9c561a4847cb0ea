import { type LogFile } from './log-file';
import { shortLine } from './short-line';

/** How long lines are gathered into one write. */
const GATHER_MS = 10;
const REWRITE_LINE = '\r\x1b[2K';

/**
 * The log's output on a terminal: short lines there, and full lines in a file (docs/configuration.md#logs). Remaining
 * lines are written at the exit.
 */
export function terminalLog(print: (text: string) => unknown, file: LogFile): { write(line: string): void } {
  let lines: string[] = [];
  const write = () => {
    if (lines.length === 0) return;
    file.append(lines.join(''));
    // A step of the start may have left its line open.
    print(lines.map((line) => `${REWRITE_LINE}${shortLine(line)}\n`).join(''));
    lines = [];
  };
  process.once('exit', write);
  return {
    write: (line) => {
      if (lines.length === 0) setTimeout(write, GATHER_MS);
      lines.push(line);
    },
  };
}
