import { type Catalog } from '@svc/inference';
import { type Clock } from '@svc/kernel';
import { type CircuitReport, type CircuitReportStore } from '@svc/persistence';
import { type Logger } from '@svc/platform';
import { type CircuitFacts, type Circuits } from '../dispatch/circuits';

const REPORT_EVERY_MS = 10_000;

interface CircuitReporterOptions {
  readonly store: Pick<CircuitReportStore, 'write'>;
  readonly circuits: Circuits;
  readonly catalog: { current(): Catalog };
  readonly edgeInstanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reportEveryMs?: number;
}

/**
 * Reports the circuits of this process to the others: when one opens or closes, and every 10 s those of the endpoints that
 * were planned with since the last report.
 */
export class CircuitReporter {
  /** By endpoint id. */
  private readonly reported = new Map<string, CircuitFacts>();
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> = Promise.resolve();
  private hasChanged = false;
  private isReporting = false;
  private isStopped = false;

  constructor(private readonly options: CircuitReporterOptions) {}

  start(): void {
    this.options.circuits.watch(() => {
      this.hasChanged = true;
      this.reportSoon(0);
    });
    this.reportSoon(this.options.reportEveryMs ?? REPORT_EVERY_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.reporting;
  }

  /** After a call's own turn. A change while a report is under way is in the next one. */
  private reportSoon(delayMs: number): void {
    if (this.isStopped || this.isReporting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isReporting = true;
      this.hasChanged = false;
      this.reporting = this.report().finally(() => {
        this.isReporting = false;
        this.reportSoon(this.hasChanged ? 0 : (this.options.reportEveryMs ?? REPORT_EVERY_MS));
      });
    }, delayMs).unref();
  }

  /** Never throws: what could not be written is written the next time. */
  private async report(): Promise<void> {
    const { store, circuits, edgeInstanceId, logger } = this.options;
    const changed = circuits.facts().filter((facts) => !isSame(facts, this.reported.get(facts.endpointId)));
    const reports = this.reportsOf(changed);
    if (reports.length === 0) return;
    try {
      await store.write(edgeInstanceId, reports);
      for (const facts of changed) this.reported.set(facts.endpointId, facts);
    } catch (error) {
      logger.warn({ err: error }, 'circuits not reported');
    }
  }

  /** Endpoints that the catalog has no more are left out: nobody plans with them. */
  private reportsOf(changed: readonly CircuitFacts[]): readonly CircuitReport[] {
    if (changed.length === 0) return [];
    const nowMs = this.options.clock.now();
    const endpoints = [...this.options.catalog.current().models.values()].flatMap((model) => model.endpoints);
    const named = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    return changed.flatMap(({ endpointId, openSinceMs, plannedAtMs }) => {
      const endpoint = named.get(endpointId);
      if (endpoint === undefined) return [];
      const openForMs = openSinceMs === null ? null : Math.max(0, nowMs - openSinceMs);
      const plannedAgoMs = Math.max(0, nowMs - plannedAtMs);
      return {
        endpointId,
        model: endpoint.modelId,
        provider: endpoint.provider.name,
        openForMs,
        plannedAgoMs,
      };
    });
  }
}

const isSame = (facts: CircuitFacts, before: CircuitFacts | undefined): boolean =>
  before?.plannedAtMs === facts.plannedAtMs && before.openSinceMs === facts.openSinceMs;
