import { createLogger, type Logger } from '../logger';

/** The lines that a logger of this level writes. */
export function linesOf(level: string, act: (logger: Logger) => void): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLogger({ service: 'edge', level }, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
