import { type Clock } from '@svc/kernel';
import { type CredentialReport, type CredentialReportStore } from '@svc/policy/store';
import { type Logger } from '@svc/runtime/observability';
import { ReportLoop } from '@svc/runtime';
import { type CredentialHealths } from './credential-healths';
import { type PoolMember } from './credential-pool';

const REPORT_EVERY_MS = 10_000;

interface CredentialReporterOptions {
  readonly store: Pick<CredentialReportStore, 'write'>;
  readonly healths: CredentialHealths;
  readonly edgeInstanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reportEveryMs?: number;
}

/** A change that is to be reported, as it is by then. */
interface Pending {
  readonly member: PoolMember;
  /** Null: everywhere. */
  readonly endpointId: string | null;
  readonly isNews: boolean;
}

/**
 * Reports the health of credentials in this process: at once when a rest begins or ends, which the other edges are told too, and every
 * 10 s what is left of the providers' limits.
 */
export class CredentialReporter {
  /** By credential and endpoint. */
  private readonly pending = new Map<string, Pending>();
  private readonly loop: ReportLoop;

  constructor(private readonly options: CredentialReporterOptions) {
    const { reportEveryMs: everyMs = REPORT_EVERY_MS } = options;
    this.loop = new ReportLoop({ everyMs, report: () => this.report() });
  }

  start(): void {
    this.options.healths.watch((member, endpointId, isNews) => {
      this.note({ member, endpointId, isNews });
    });
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private note(change: Pending): void {
    const name = `${change.member.healthKey} ${change.endpointId ?? ''}`;
    if (change.isNews || !this.pending.has(name)) this.pending.set(name, change);
    if (change.isNews) this.loop.askNow();
  }

  /** Never throws: what could not be written is written the next time. */
  private async report(): Promise<void> {
    const { store, edgeInstanceId, logger } = this.options;
    const changed = [...this.pending];
    if (changed.length === 0) return;
    this.pending.clear();
    try {
      await store.write(
        edgeInstanceId,
        changed.map(([, pending]) => this.reportOf(pending)),
      );
    } catch (error) {
      for (const [name, pending] of changed) {
        if (pending.isNews || !this.pending.has(name)) this.pending.set(name, pending);
      }
      logger.warn({ err: error }, 'health of credentials not reported');
    }
  }

  private reportOf({ member, endpointId, isNews }: Pending): CredentialReport {
    const { clock, healths } = this.options;
    const nowMs = clock.now();
    const untilMs = (timeMs: number): number => Math.max(0, timeMs - nowMs);
    const { key: credential, healthEpoch, provider } = member;
    const { rest, headroom } = healths.knownOf(member, endpointId);
    return {
      credential,
      healthEpoch,
      provider,
      endpointId,
      rest: rest?.kind ?? null,
      restsForMs: rest === null || rest.untilMs === null ? null : untilMs(rest.untilMs),
      trialInMs: rest === null ? null : untilMs(rest.trialAtMs),
      headroomBps: headroom?.bps ?? null,
      headroomForMs: headroom === null ? null : untilMs(headroom.untilMs),
      isNews,
    };
  }
}
