import { GatewayError } from '@svc/kernel';

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export const INCIDENT_SEVERITIES = ['minor', 'major', 'critical'] as const;
export const INCIDENT_COMPONENTS = [
  'inference',
  'management',
  'webhooks',
  'oauth',
  'console',
  'payments',
  'fine_tuning',
] as const;

export type IncidentState = (typeof INCIDENT_STATES)[number];
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

export type IncidentComponent = (typeof INCIDENT_COMPONENTS)[number];
export type IncidentSource = 'operator' | 'automatic';

/** The organizations that an incident affects (docs/reference/incidents.md#affected-organizations). */
export type IncidentAudience = 'all' | 'affected' | 'organizations';

/** The fields that an update can change. */
export interface IncidentStanding {
  readonly state: IncidentState;
  readonly severity: IncidentSeverity;
  readonly components: readonly string[];
  readonly providers: readonly string[];
  readonly models: readonly string[];
}

/** An incident with what decides whether an update is allowed. */
export interface UpdatedIncident extends IncidentStanding {
  readonly audience: IncidentAudience;
  readonly resolvedAt: Date | null;
  readonly updateCount: number;
}

export const INCIDENT_UPDATES_MAX = 200;
const REOPENED_WITHIN_MS = 86_400_000;

/**
 * The standing after an operator's update (docs/reference/incidents.md#states).
 * @throws GatewayError `conflict` where the state forbids the update, `invalidRequest` where it would leave nothing that
 * organizations are affected by.
 */
export function standingAfter(
  incident: UpdatedIncident,
  change: { readonly [K in keyof IncidentStanding]?: IncidentStanding[K] | undefined },
  nowMs: number,
): IncidentStanding {
  const { state = incident.state, severity = incident.severity, components = incident.components } = change;
  const { providers = incident.providers, models = incident.models } = change;
  if (incident.updateCount >= INCIDENT_UPDATES_MAX) {
    throw new GatewayError(
      'conflict',
      `This incident has ${String(INCIDENT_UPDATES_MAX)} updates, which is the most.`,
    );
  }
  if (incident.resolvedAt !== null) {
    if (state === 'resolved') {
      throw new GatewayError('conflict', 'This incident is resolved. An update must give it another state.');
    }
    if (nowMs - incident.resolvedAt.getTime() > REOPENED_WITHIN_MS) {
      throw new GatewayError(
        'conflict',
        'This incident was resolved more than 24 hours ago. Open another one.',
      );
    }
  }
  requireScope(incident.audience, { providers, models });
  return { state, severity, components, providers, models };
}

/** @throws GatewayError `invalidRequest` for the audience `affected` without anything to be affected by. */
export function requireScope(
  audience: IncidentAudience,
  { providers, models }: Pick<IncidentStanding, 'providers' | 'models'>,
): void {
  if (audience !== 'affected' || providers.length + models.length > 0) return;
  const message = 'The audience `affected` needs `providers` or `models`.';
  throw new GatewayError('invalidRequest', message, { param: 'providers' });
}

/** The event that tells an affected organization of an update. */
export const eventOfUpdate = (state: IncidentState): 'incident.updated' | 'incident.resolved' =>
  state === 'resolved' ? 'incident.resolved' : 'incident.updated';
