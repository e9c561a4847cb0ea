import { createLogger, type Logger } from '../logger';

/** What a logger of this level writes, line by line. */
export function linesOf(level: string, act: (logger: Logger) => void): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLogger({ service: 'edge', level }, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
