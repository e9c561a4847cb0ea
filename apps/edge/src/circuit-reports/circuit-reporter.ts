import { type Catalog } from '@svc/catalog';
import { type Clock } from '@svc/kernel';
import { type EndpointFigures, UNMEASURED } from '@svc/policy';
import { type CircuitReport, type CircuitReportStore } from '@svc/usage/store';
import { type Logger } from '@svc/runtime/observability';
import { ReportLoop } from '@svc/runtime';
import { type CircuitFacts, type Circuits } from '../dispatch/circuits';
import { type MeasuredEndpoints } from '../dispatch/endpoint-figures';

const REPORT_EVERY_MS = 10_000;

interface CircuitReporterOptions {
  readonly store: Pick<CircuitReportStore, 'write'>;
  readonly circuits: Circuits;
  readonly figures: MeasuredEndpoints;
  readonly catalog: { current(): Catalog };
  readonly edgeInstanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reportEveryMs?: number;
}

/** The facts of an endpoint in a report. Each measurement makes new figures. */
interface ReportedFacts extends CircuitFacts {
  readonly plain: EndpointFigures;
  readonly stream: EndpointFigures;
}

/**
 * Reports the circuits and speeds of model endpoints in this process to the others: when a circuit opens or closes, when an
 * endpoint is first measured, and every 10 s those of the endpoints that were planned with or measured since the last report.
 */
export class CircuitReporter {
  /** By endpoint id. */
  private readonly reported = new Map<string, ReportedFacts>();
  private readonly loop: ReportLoop;

  constructor(private readonly options: CircuitReporterOptions) {
    const { reportEveryMs: everyMs = REPORT_EVERY_MS } = options;
    this.loop = new ReportLoop({ everyMs, report: () => this.report() });
  }

  start(): void {
    const changed = (): void => this.loop.askNow();
    this.options.circuits.watch(changed);
    this.options.figures.watch(changed);
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Never throws: what could not be written is written the next time. */
  private async report(): Promise<void> {
    const { store, edgeInstanceId, logger } = this.options;
    const changed = this.facts().filter((facts) => !isSame(facts, this.reported.get(facts.endpointId)));
    const reports = this.reportsOf(changed);
    if (reports.length === 0) return;
    try {
      await store.write(edgeInstanceId, reports);
      for (const facts of changed) this.reported.set(facts.endpointId, facts);
    } catch (error) {
      logger.warn({ err: error }, 'circuits not reported');
    }
  }

  private facts(): readonly ReportedFacts[] {
    const { circuits, figures } = this.options;
    return circuits.facts().map((facts) => ({
      ...facts,
      plain: figures.of({ id: facts.endpointId }, false),
      stream: figures.of({ id: facts.endpointId }, true),
    }));
  }

  /** Endpoints that the catalog has no more are left out: nobody plans with them. */
  private reportsOf(changed: readonly ReportedFacts[]): readonly CircuitReport[] {
    if (changed.length === 0) return [];
    const nowMs = this.options.clock.now();
    const ageOf = (timeMs: number): number => Math.max(0, nowMs - timeMs);
    const endpoints = [...this.options.catalog.current().models.values()].flatMap((model) => model.endpoints);
    const named = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    return changed.flatMap(({ endpointId, openSinceMs, openUntilMs, plannedAtMs, plain, stream }) => {
      const endpoint = named.get(endpointId);
      if (endpoint === undefined) return [];
      return {
        endpointId,
        model: endpoint.modelId,
        provider: endpoint.provider.name,
        openForMs: openSinceMs === null ? null : ageOf(openSinceMs),
        trialInMs: openUntilMs === null ? null : Math.max(0, openUntilMs - nowMs),
        plannedAgoMs: ageOf(plannedAtMs),
        plain: this.figuresOf(endpointId, plain, false),
        stream: this.figuresOf(endpointId, stream, true),
      };
    });
  }

  private figuresOf(endpointId: string, measured: EndpointFigures, stream: boolean): CircuitReport['plain'] {
    if (measured === UNMEASURED) return null;
    return { ...measured, measuredAgoMs: this.options.figures.ageMs(endpointId, stream) };
  }
}

const isSame = (facts: ReportedFacts, before: ReportedFacts | undefined): boolean =>
  before?.plannedAtMs === facts.plannedAtMs &&
  before.openSinceMs === facts.openSinceMs &&
  before.openUntilMs === facts.openUntilMs &&
  before.plain === facts.plain &&
  before.stream === facts.stream;
