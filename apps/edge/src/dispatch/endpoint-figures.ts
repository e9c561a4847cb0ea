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
  private readonly plain = newFigures();
  private readonly streams = newFigures();

  of(endpoint: ModelEndpoint, stream: boolean): EndpointFigures {
    return this.figuresOf(stream).get(endpoint.id) ?? UNMEASURED;
  }

  /**
   * A plain answer.
   * @param outputTokens null where it told of none.
   * @param latencyMs until it was whole.
   */
  answered(endpoint: ModelEndpoint, outputTokens: number | null, latencyMs: number): void {
    const tokensPerSecond = outputTokens === null ? null : perSecond(outputTokens, latencyMs);
    this.observe(endpoint, false, { latencyMs, tokensPerSecond });
  }

  /** @param latencyMs until a stream began. */
  began(endpoint: ModelEndpoint, latencyMs: number): void {
    this.observe(endpoint, true, { latencyMs, tokensPerSecond: null });
  }

  /** @param durationMs from the begin of a stream to its end. */
  generated(endpoint: ModelEndpoint, outputTokens: number, durationMs: number): void {
    this.observe(endpoint, true, { latencyMs: null, tokensPerSecond: perSecond(outputTokens, durationMs) });
  }

  /** Counts as the slowest that an answer may be, so that a failing endpoint never looks fast. */
  failed(endpoint: ModelEndpoint, stream: boolean): void {
    this.observe(endpoint, stream, { latencyMs: endpoint.timeouts.firstByteMs, tokensPerSecond: 0 });
  }

  private observe(endpoint: ModelEndpoint, stream: boolean, seen: EndpointObservation): void {
    this.figuresOf(stream).set(endpoint.id, foldFigures(this.of(endpoint, stream), seen));
  }

  private figuresOf(stream: boolean): LRUCache<string, EndpointFigures> {
    return stream ? this.streams : this.plain;
  }
}

/** By endpoint id. */
const newFigures = () =>
  new LRUCache<string, EndpointFigures>({ max: ENDPOINTS_MAX, ttl: MEASURE_AGE_MAX_MS, ttlResolution: 0 });

const perSecond = (count: number, durationMs: number): number => (count * 1000) / Math.max(1, durationMs);
