import { LRUCache } from 'lru-cache';
import {
  foldFigures,
  UNMEASURED,
  type EndpointFigures,
  type EndpointObservation,
  type ModelEndpoint,
} from '@svc/inference';

/** What was measured longer ago says nothing about now: the endpoint is tried anew. */
const MEASURE_AGE_MAX_MS = 300_000;
const ENDPOINTS_MAX = 10_000;

/**
 * How fast this process has found its model endpoints, for policies that sort by that. Plain calls and streams are
 * measured apart: the one's answer begins when it is whole, the other's with its first frame.
 */
export class MeasuredEndpoints {
  private readonly figures = new LRUCache<string, EndpointFigures>({
    max: ENDPOINTS_MAX,
    ttl: MEASURE_AGE_MAX_MS,
    ttlResolution: 0,
  });

  of(endpoint: ModelEndpoint, stream: boolean): EndpointFigures {
    return this.figures.get(keyOf(endpoint, stream)) ?? UNMEASURED;
  }

  /** @param latencyMs until the answer began. */
  began(endpoint: ModelEndpoint, stream: boolean, latencyMs: number): void {
    this.observe(endpoint, stream, { latencyMs, tokensPerSecond: null });
  }

  generated(endpoint: ModelEndpoint, stream: boolean, outputTokens: number, durationMs: number): void {
    const tokensPerSecond = (outputTokens * 1000) / Math.max(1, durationMs);
    this.observe(endpoint, stream, { latencyMs: null, tokensPerSecond });
  }

  /** Counts as the slowest that an answer may be, so that a failing endpoint never looks fast. */
  failed(endpoint: ModelEndpoint, stream: boolean): void {
    this.observe(endpoint, stream, { latencyMs: endpoint.timeouts.firstByteMs, tokensPerSecond: 0 });
  }

  private observe(endpoint: ModelEndpoint, stream: boolean, seen: EndpointObservation): void {
    this.figures.set(keyOf(endpoint, stream), foldFigures(this.of(endpoint, stream), seen));
  }
}

const keyOf = ({ id }: ModelEndpoint, stream: boolean): string => `${stream ? 'stream' : 'plain'}|${id}`;
