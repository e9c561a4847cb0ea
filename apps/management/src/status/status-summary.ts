import { type IncidentRecord } from '@svc/incidents/store';
import { type PublicStatus } from './public-status';

const PAGE_ID = 'svc';

/**
 * The status in the shape of Statuspage's `summary.json`, which status aggregators read: the open incidents, with their
 * updates newest first (https://developer.statuspage.io).
 */
export function statusSummary(
  { readAt, indicator, description, components, open }: PublicStatus,
  baseUrl: string,
): object {
  const pageComponents = components.map(({ id, name, status }, at) => {
    const updated = open
      .filter((incident) => incident.components.includes(id))
      .flatMap(({ updates }) => updates.map((update) => update.at.toISOString()))
      .sort()
      .at(-1);
    return {
      id,
      name,
      status,
      created_at: null,
      updated_at: updated ?? null,
      position: at + 1,
      description: null,
      showcase: true,
      start_date: null,
      group_id: null,
      page_id: PAGE_ID,
      group: false,
      only_show_if_degraded: false,
    };
  });
  return {
    page: {
      id: PAGE_ID,
      name: 'Svc',
      url: `${baseUrl}/status`,
      time_zone: 'Etc/UTC',
      updated_at: readAt.toISOString(),
    },
    components: pageComponents,
    incidents: open.map((incident) => ({
      ...summaryOf(incident, baseUrl),
      components: pageComponents.filter(({ id }) => incident.components.includes(id)),
    })),
    scheduled_maintenances: [],
    status: { indicator, description },
  };
}

function summaryOf(incident: IncidentRecord, baseUrl: string) {
  const { id, title, state, severity, startedAt, createdAt, resolvedAt, updates } = incident;
  const monitoring = updates.find((update) => update.state === 'monitoring');
  return {
    id,
    name: title,
    status: state,
    created_at: createdAt.toISOString(),
    updated_at: (updates.at(-1)?.at ?? createdAt).toISOString(),
    monitoring_at: monitoring?.at.toISOString() ?? null,
    resolved_at: resolvedAt?.toISOString() ?? null,
    impact: severity,
    shortlink: `${baseUrl}/status#${id}`,
    started_at: startedAt.toISOString(),
    page_id: PAGE_ID,
    incident_updates: updates
      .map((update, at) => ({
        id: `${id}-${String(at + 1)}`,
        status: update.state,
        body: update.message,
        incident_id: id,
        created_at: update.at.toISOString(),
        updated_at: update.at.toISOString(),
        display_at: update.at.toISOString(),
        affected_components: null,
        deliver_notifications: true,
      }))
      .reverse(),
  };
}
