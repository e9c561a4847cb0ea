import { type Body } from './vendor-rules';

/** The range of a number of a body, both bounds included. */
export type Range = readonly [name: string, least: number, most: number];

/** The first number that is out of its range, in OpenAI's words. */
export function rangeProblem(body: Body, ranges: readonly Range[]): string | null {
  for (const [name, least, most] of ranges) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    const below = value < least;
    if (below || value > most)
      return `Invalid '${name}': ${below ? 'integer below minimum' : 'decimal above maximum'} value. Expected a value ${below ? '>=' : '<='} ${String(below ? least : most)}, but got ${String(value)} instead.`;
  }
  return null;
}
