import { INCIDENT_UPDATES_MAX, type IncidentSeverity, type IncidentState } from './incident';
import { type IncidentSubject, type OpenSubject } from './judge-circuits';

/** An automatic incident that is open, or was resolved a short time ago. */
export interface AutomaticIncident {
  readonly id: string;
  readonly subject: IncidentSubject;
  readonly state: IncidentState;
  readonly severity: IncidentSeverity;
  readonly managed: boolean;
  readonly resolvedAt: Date | null;
  /** Since when its subject is not open; null while it is. */
  readonly quietSince: Date | null;
  readonly updateCount: number;
}

export type AutomaticStep =
  | {
      readonly action: 'open';
      readonly subject: IncidentSubject;
      readonly severity: IncidentSeverity;
      readonly startedAt: Date;
      readonly title: string;
      readonly message: string;
    }
  | {
      readonly action: 'update';
      readonly incident: AutomaticIncident;
      readonly state: IncidentState;
      readonly severity: IncidentSeverity;
      readonly quietSince: Date | null;
      readonly message: string;
    }
  /** Nobody is told: it only became quiet, or was for too short a time. */
  | { readonly action: 'record'; readonly incident: AutomaticIncident; readonly quietSince: Date | null };

/** For how long after its resolution an incident is opened again instead of another one. */
export const AUTOMATIC_REOPENED_WITHIN_MS = 1_800_000;

/** Fixed words: nothing that a provider said is ever in them. */
const messages = {
  opened: 'Calls of this subject fail at every endpoint. We are looking into it.',
  reopened: 'Calls fail again. We are looking into it.',
  worse: 'A model that only this provider serves is affected now.',
  better: 'Every affected model has another endpoint now.',
  monitoring: 'Calls have not failed for a while. We keep watching.',
  resolved: 'Calls have not failed for a longer time. The incident is over.',
  takenIn: 'This is part of an incident of the provider, which goes on.',
} as const;

const titleOf = ({ kind, name }: IncidentSubject): string =>
  kind === 'model' ? `The model ${name} is not available` : `The provider ${name} is failing`;

interface AutomaticFacts {
  readonly open: readonly OpenSubject[];
  /** Those that are not resolved, and those resolved within {@link AUTOMATIC_REOPENED_WITHIN_MS}, newest first. */
  readonly incidents: readonly AutomaticIncident[];
  readonly now: Date;
  /** `SVC_INCIDENT_AFTER_SECONDS` */
  readonly afterMs: number;
}

/** Changes of the automatic incidents (docs/reference/incidents.md#automatic-incidents). */
export function decideAutomaticIncidents(facts: AutomaticFacts): readonly AutomaticStep[] {
  const { incidents } = facts;
  const latest = new Map<string, AutomaticIncident>();
  // An open incident stands before a resolved one of the same subject.
  for (const incident of [...incidents].sort((a, b) => Number(isResolved(a)) - Number(isResolved(b)))) {
    const key = keyOf(incident.subject);
    if (!latest.has(key)) latest.set(key, incident);
  }
  const openByKey = new Map(facts.open.map((subject) => [keyOf(subject), subject]));
  const failing = failingProviders(facts, latest);
  const keys = [...new Set([...openByKey.keys(), ...latest.keys()])];
  return keys.flatMap((key) => {
    const subject = openByKey.get(key);
    const incident = latest.get(key);
    const isExplained =
      subject?.kind === 'model' && subject.providers.every((provider) => failing.has(provider));
    if (incident !== undefined && !isResolved(incident)) {
      return incident.managed ? [] : stepOfOpen(incident, subject, isExplained, facts);
    }
    if (subject === undefined || isExplained) return [];
    return stepOfNew(subject, incident, facts);
  });
}

const keyOf = ({ kind, name }: IncidentSubject): string => `${kind} ${name}`;
const isResolved = ({ state }: AutomaticIncident): boolean => state === 'resolved';

/** The providers that have an open incident, or get one now. */
function failingProviders(
  { open, now, afterMs }: AutomaticFacts,
  latest: ReadonlyMap<string, AutomaticIncident>,
): ReadonlySet<string> {
  const isFailing = (subject: OpenSubject) => {
    const incident = latest.get(keyOf(subject));
    if (incident === undefined) return isLongOpen(subject, now, afterMs);
    return !isResolved(incident) || !incident.managed;
  };
  return new Set(
    open.filter((subject) => subject.kind === 'provider' && isFailing(subject)).map(({ name }) => name),
  );
}

const isLongOpen = ({ openSince }: OpenSubject, now: Date, afterMs: number): boolean =>
  now.getTime() - openSince.getTime() >= afterMs;

/** @param last the last incident of the subject, resolved a short time ago. */
function stepOfNew(
  subject: OpenSubject,
  last: AutomaticIncident | undefined,
  { now, afterMs }: AutomaticFacts,
): AutomaticStep[] {
  if (last !== undefined && last.updateCount < INCIDENT_UPDATES_MAX - 1) {
    // An incident that a person has closed stays closed for that time.
    return last.managed ? [] : [update(last, 'investigating', subject.severity, messages.reopened)];
  }
  if (!isLongOpen(subject, now, afterMs)) return [];
  const { kind, name, severity, openSince } = subject;
  const opened = { subject: { kind, name }, severity, startedAt: openSince, title: titleOf(subject) };
  return [{ action: 'open', ...opened, message: messages.opened }];
}

function stepOfOpen(
  incident: AutomaticIncident,
  subject: OpenSubject | undefined,
  isExplained: boolean,
  { now, afterMs }: AutomaticFacts,
): AutomaticStep[] {
  if (isExplained) return [update(incident, 'resolved', incident.severity, messages.takenIn)];
  if (subject === undefined) return stepOfQuiet(incident, now, afterMs);
  // The last update is kept for the end.
  const isFull = incident.updateCount >= INCIDENT_UPDATES_MAX - 1;
  const { severity } = subject;
  if (!isFull && incident.state === 'monitoring')
    return [update(incident, 'investigating', severity, messages.reopened)];
  if (!isFull && incident.severity !== severity) {
    return [
      update(incident, incident.state, severity, severity === 'major' ? messages.worse : messages.better),
    ];
  }
  return incident.quietSince === null ? [] : [{ action: 'record', incident, quietSince: null }];
}

function stepOfQuiet(incident: AutomaticIncident, now: Date, afterMs: number): AutomaticStep[] {
  const { quietSince, state, severity, updateCount } = incident;
  if (quietSince === null) return [{ action: 'record', incident, quietSince: now }];
  const quietMs = now.getTime() - quietSince.getTime();
  if (quietMs >= 2 * afterMs) return [update(incident, 'resolved', severity, messages.resolved, quietSince)];
  const becomesMonitoring =
    quietMs >= afterMs && state !== 'monitoring' && updateCount < INCIDENT_UPDATES_MAX - 1;
  return becomesMonitoring ? [update(incident, 'monitoring', severity, messages.monitoring, quietSince)] : [];
}

const update = (
  incident: AutomaticIncident,
  state: IncidentState,
  severity: IncidentSeverity,
  message: string,
  quietSince: Date | null = null,
): AutomaticStep => ({ action: 'update', incident, state, severity, quietSince, message });
