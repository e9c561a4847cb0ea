import { Get, List, Resource, known, type Call } from '@svc/api';
import { IncidentStore } from '@svc/incidents/store';
import { type Collection } from '../collection';
import { incident, incidentFilters, presentIncident } from './incident-schema';

const ids = { incident_id: 'incident' } as const;

@Resource({
  path: 'incidents',
  one: 'Incident',
  many: 'Incidents',
  tag: 'Incidents',
  description: 'Incidents of the platform that affect the organization.',
})
class IncidentsController {
  constructor(private readonly store: IncidentStore) {}

  @List('', {
    summary: 'The incidents that affect the organization, newest first.',
    permission: 'org:read',
    scope: null,
    cursor: 'incident',
    query: incidentFilters,
    item: incident,
  })
  async list({ caller, page, query }: Call<{ query: typeof incidentFilters }>) {
    const { state, severity } = query;
    const isOpen = state === undefined ? undefined : state === 'open';
    const { items, hasMore } = await this.store.listAffecting(caller.organizationId, page, {
      isOpen,
      severity,
    });
    return { items: items.map(presentIncident), hasMore };
  }

  @Get(':incident_id', {
    summary: 'One incident, with its updates.',
    description: 'An incident that does not affect the organization is 404.',
    permission: 'org:read',
    scope: null,
    ids,
    answer: incident,
  })
  async get({ caller, ids }: Call<{ ids: 'incident_id' }>) {
    const found = known(await this.store.findAffecting(caller.organizationId, ids.incident_id));
    return presentIncident(found);
  }
}

export const incidents: Collection = {
  controllers: [IncidentsController],
  services: [],
  stores: [IncidentStore],
};
