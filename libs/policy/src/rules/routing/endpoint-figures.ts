/** Moving averages of an endpoint's speed. Null where nothing was measured. */
export interface EndpointFigures {
  /** Milliseconds until the answer began. */
  readonly latencyMs: number | null;
  readonly tokensPerSecond: number | null;
}

/** Measurements of one answered call. Null for a value that it does not provide. */
export type EndpointObservation = EndpointFigures;

export const UNMEASURED: EndpointFigures = { latencyMs: null, tokensPerSecond: null };

/** The weight of the newest call: the last ten calls make up nine tenths of an average. */
const WEIGHT = 0.2;

export function foldFigures(before: EndpointFigures, seen: EndpointObservation): EndpointFigures {
  return {
    latencyMs: fold(before.latencyMs, seen.latencyMs),
    tokensPerSecond: fold(before.tokensPerSecond, seen.tokensPerSecond),
  };
}

function fold(before: number | null, seen: number | null): number | null {
  if (seen === null || before === null) return seen ?? before;
  return before + WEIGHT * (seen - before);
}
