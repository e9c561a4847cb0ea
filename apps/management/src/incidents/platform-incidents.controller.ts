import { Change, Create, Get, List, OperatorResource, type Call } from '@svc/api';
import { IncidentStore } from '@svc/incidents/store';
import { type Collection } from '../collection';
import {
  incidentChange,
  incidentFilters,
  incidentOrganization,
  newIncident,
  newIncidentHeaders,
  newIncidentUpdate,
  platformIncident,
  presentIncidentOrganization,
  presentPlatformIncident,
} from './incident-schema';
import { PlatformIncidents } from './platform-incidents';

const ids = { incident_id: 'incident' } as const;

@OperatorResource({
  path: 'incidents',
  one: 'PlatformIncident',
  many: 'PlatformIncidents',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class PlatformIncidentsController {
  constructor(private readonly incidents: PlatformIncidents) {}

  @List('', {
    summary: 'All incidents, newest first.',
    permission: null,
    scope: null,
    cursor: 'incident',
    query: incidentFilters,
    item: platformIncident,
  })
  async list({ page, query }: Call<{ query: typeof incidentFilters }>) {
    const { items, hasMore } = await this.incidents.list(page, filterOf(query));
    return { items: items.map(presentPlatformIncident), hasMore };
  }

  @Get(':incident_id', {
    summary: 'One incident, with its updates.',
    permission: null,
    scope: null,
    ids,
    answer: platformIncident,
  })
  async get({ ids }: Call<{ ids: 'incident_id' }>) {
    return presentPlatformIncident(await this.incidents.get(ids.incident_id));
  }

  @Create('', {
    summary: 'Opens an incident.',
    description:
      'Each affected organization gets `incident.opened`. Organizations that are affected later get it then. The message ' +
      'is shown to them, and on the status page where the audience is `all`.',
    permission: null,
    scope: null,
    headers: newIncidentHeaders,
    body: newIncident,
    answer: platformIncident,
    errors: ['idempotencyKeyReused'],
  })
  async create({
    caller,
    body,
    headers,
  }: Call<{ body: typeof newIncident; headers: typeof newIncidentHeaders }>) {
    const key = headers['Idempotency-Key'] ?? null;
    return presentPlatformIncident(await this.incidents.create(caller, body, key));
  }

  @Change(':incident_id', {
    summary: 'Changes the title of an incident.',
    description: 'Nobody is told.',
    permission: null,
    scope: null,
    ids,
    body: incidentChange,
    answer: platformIncident,
  })
  async change({ caller, ids, body }: Call<{ ids: 'incident_id'; body: typeof incidentChange }>) {
    return presentPlatformIncident(await this.incidents.rename(caller, ids.incident_id, body));
  }

  @Create(':incident_id/updates', {
    summary: 'Says how an incident goes on.',
    description:
      'Every affected organization gets `incident.updated`, or `incident.resolved`. A resolved incident takes an update ' +
      'with another state within 24 hours. An automatic incident is `managed` from then on.',
    permission: null,
    scope: null,
    operation: 'updateIncident',
    ids,
    body: newIncidentUpdate,
    answer: platformIncident,
    errors: ['conflict'],
  })
  async update({ caller, ids, body }: Call<{ ids: 'incident_id'; body: typeof newIncidentUpdate }>) {
    return presentPlatformIncident(await this.incidents.update(caller, ids.incident_id, body));
  }

  @List(':incident_id/organizations', {
    summary: 'The organizations that were told of an incident, newest first.',
    permission: null,
    scope: null,
    operation: 'listIncidentOrganizations',
    ids,
    cursor: 'organization',
    item: incidentOrganization,
  })
  async organizations({ ids, page }: Call<{ ids: 'incident_id' }>) {
    const { items, hasMore } = await this.incidents.organizations(ids.incident_id, page);
    return { items: items.map(presentIncidentOrganization), hasMore };
  }
}

const filterOf = ({ state, severity }: Call<{ query: typeof incidentFilters }>['query']) => ({
  isOpen: state === undefined ? undefined : state === 'open',
  severity,
});

export const platformIncidents: Collection = {
  controllers: [PlatformIncidentsController],
  services: [PlatformIncidents],
  stores: [IncidentStore],
};
