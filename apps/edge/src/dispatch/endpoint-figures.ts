import { type ModelEndpoint } from '@svc/catalog';
import { type EndpointFigures, type EndpointObservation, foldFigures, UNMEASURED } from '@svc/policy';
import { lruCache, type LRUCache } from '@svc/runtime';

/** An older measurement is dropped, and the endpoint counts as unmeasured. */
const MEASURE_AGE_MAX_MS = 300_000;
const ENDPOINTS_MAX = 10_000;

/**
 * The speed of model endpoints as this process measured it, for policies that sort by it. Plain calls and streams are
 * measured apart: a plain answer begins when it is complete, a stream with its first frame.
 */
export class MeasuredEndpoints {
  private readonly plain = newFigures();
  private readonly streams = newFigures();
  private onFirst: () => void = () => undefined;

  of({ id }: Pick<ModelEndpoint, 'id'>, stream: boolean): EndpointFigures {
    return this.figuresOf(stream).get(id) ?? UNMEASURED;
  }

  /** Milliseconds since the last measurement of an endpoint; 0 where there is none. */
  ageMs(endpointId: string, stream: boolean): number {
    const remainingMs = this.figuresOf(stream).getRemainingTTL(endpointId);
    return remainingMs === 0 ? 0 : MEASURE_AGE_MAX_MS - remainingMs;
  }

  /** @param onFirst is called when an endpoint is measured that was not. */
  watch(onFirst: () => void): void {
    this.onFirst = onFirst;
  }

  /**
   * Records a plain answer.
   * @param outputTokens null when the answer reported none.
   * @param latencyMs until it was complete.
   */
  answered(endpoint: ModelEndpoint, outputTokens: number | null, latencyMs: number): void {
    const tokensPerSecond = outputTokens === null ? null : perSecond(outputTokens, latencyMs);
    this.observe(endpoint, false, { latencyMs, tokensPerSecond });
  }

  /** Records the start of a stream. @param latencyMs until its first frame. */
  began(endpoint: ModelEndpoint, latencyMs: number): void {
    this.observe(endpoint, true, { latencyMs, tokensPerSecond: null });
  }

  /** Records a complete stream. @param durationMs from its start to its end. */
  generated(endpoint: ModelEndpoint, outputTokens: number, durationMs: number): void {
    this.observe(endpoint, true, { latencyMs: null, tokensPerSecond: perSecond(outputTokens, durationMs) });
  }

  /** Records a failure as the slowest possible answer, so that a failing endpoint never looks fast. */
  failed(endpoint: ModelEndpoint, stream: boolean): void {
    this.observe(endpoint, stream, { latencyMs: endpoint.timeouts.firstByteMs, tokensPerSecond: 0 });
  }

  private observe(endpoint: ModelEndpoint, stream: boolean, seen: EndpointObservation): void {
    const before = this.of(endpoint, stream);
    this.figuresOf(stream).set(endpoint.id, foldFigures(before, seen));
    if (before === UNMEASURED) this.onFirst();
  }

  private figuresOf(stream: boolean): LRUCache<string, EndpointFigures> {
    return stream ? this.streams : this.plain;
  }
}

/** By endpoint id. */
const newFigures = () =>
  lruCache<string, EndpointFigures>(ENDPOINTS_MAX, { ttl: MEASURE_AGE_MAX_MS, ttlResolution: 0 });

const perSecond = (count: number, durationMs: number): number => (count * 1000) / Math.max(1, durationMs);
