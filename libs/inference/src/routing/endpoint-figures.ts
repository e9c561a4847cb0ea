/** How fast an endpoint has been of late, as moving averages; null where nothing was measured. */
export interface EndpointFigures {
  /** Milliseconds until its answer began. */
  readonly latencyMs: number | null;
  readonly tokensPerSecond: number | null;
}

/** What one answered call showed; null for what it could not show. */
export type EndpointObservation = EndpointFigures;

export const UNMEASURED: EndpointFigures = { latencyMs: null, tokensPerSecond: null };

/** The share of the newest call: the last ten calls make up nine tenths of an average. */
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
