import { Inject, Injectable } from '@nestjs/common';
import { type IncidentComponent, type IncidentSeverity } from '@svc/incidents';
import { type Clock } from '@svc/kernel';
import { IncidentStore, type IncidentRecord } from '@svc/incidents/store';
import { CLOCK } from '../runtime';

/** As Statuspage names them. */
type ComponentStatus = 'operational' | 'degraded_performance' | 'partial_outage' | 'major_outage';

interface PublicComponent {
  readonly id: IncidentComponent;
  readonly name: string;
  readonly status: ComponentStatus;
}

/** The status that everybody may see. It names no organization. */
export interface PublicStatus {
  readonly readAt: Date;
  /** The worst severity of the open incidents. */
  readonly indicator: 'none' | IncidentSeverity;
  readonly description: string;
  readonly components: readonly PublicComponent[];
  /** Newest first. */
  readonly open: readonly IncidentRecord[];
  /** Those that ended in the last 90 days, newest first. */
  readonly past: readonly IncidentRecord[];
}

const CACHED_MS = 15_000;
const PAST_MS = 90 * 86_400_000;

/** Reads the status at most every 15 seconds, however many ask (docs/reference/incidents.md#status-page). */
@Injectable()
export class PublicStatusReader {
  private reading: Promise<PublicStatus> | null = null;
  private readAtMs = -Infinity;

  constructor(
    private readonly store: IncidentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  current(): Promise<PublicStatus> {
    const nowMs = this.clock.now();
    if (this.reading === null || nowMs - this.readAtMs >= CACHED_MS) {
      this.readAtMs = nowMs;
      this.reading = this.read(new Date(nowMs));
      // A failure is not kept: the next visitor asks again.
      this.reading.catch(() => {
        this.reading = null;
      });
    }
    return this.reading;
  }

  private async read(readAt: Date): Promise<PublicStatus> {
    return statusOf(await this.store.listPublic(new Date(readAt.getTime() - PAST_MS)), readAt);
  }
}

const rank: Readonly<Record<PublicStatus['indicator'], number>> = {
  none: 0,
  minor: 1,
  major: 2,
  critical: 3,
};

const descriptions: Readonly<Record<PublicStatus['indicator'], string>> = {
  none: 'All Systems Operational',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
};

const componentStatuses: Readonly<Record<PublicStatus['indicator'], ComponentStatus>> = {
  none: 'operational',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
};

const names: Readonly<Record<IncidentComponent, string>> = {
  inference: 'Inference',
  management: 'Management API',
  webhooks: 'Webhooks',
  oauth: 'Login and OAuth',
  console: 'Console',
  payments: 'Payments',
  fine_tuning: 'Fine-tuning',
};
/** An installation need not have the others: they show only while an incident names them. */
const alwaysShown: readonly string[] = ['inference', 'management', 'webhooks', 'oauth'];

/** @param incidents newest first. */
export function statusOf(incidents: readonly IncidentRecord[], readAt: Date): PublicStatus {
  const open = incidents.filter(({ state }) => state !== 'resolved');
  const indicator = worstOf(open);
  const components = (Object.keys(names) as IncidentComponent[]).flatMap((id): PublicComponent[] => {
    const status = componentStatuses[worstOf(open.filter((incident) => incident.components.includes(id)))];
    const isShown = alwaysShown.includes(id) || status !== 'operational';
    return isShown ? [{ id, name: names[id], status }] : [];
  });
  const past = incidents.filter(({ state }) => state === 'resolved');
  return { readAt, indicator, description: descriptions[indicator], components, open, past };
}

const worstOf = (incidents: readonly IncidentRecord[]): PublicStatus['indicator'] =>
  incidents.reduce<PublicStatus['indicator']>(
    (worst, { severity }) => (rank[severity] > rank[worst] ? severity : worst),
    'none',
  );
