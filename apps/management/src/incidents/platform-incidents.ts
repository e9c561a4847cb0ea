import { Inject, Injectable } from '@nestjs/common';
import { unknownResource, type Caller } from '@svc/api';
import { requireScope, standingAfter, type Catalog, type IncidentStanding } from '@svc/inference';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import {
  changedFields,
  IncidentStore,
  initialFields,
  Mutations,
  PLATFORM_LOG,
  type AffectedOrganization,
  type IncidentFilter,
  type IncidentRecord,
} from '@svc/persistence';
import { type z } from 'zod';
import { CATALOG } from '../runtime';
import { type incidentChange, type newIncident, type newIncidentUpdate } from './incident-schema';

/** The operator's incidents (docs/reference/incidents.md#the-operators-routes). Workers tell organizations of them. */
@Injectable()
export class PlatformIncidents {
  constructor(
    private readonly store: IncidentStore,
    private readonly mutations: Mutations,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  list(page: Page, filter: IncidentFilter): Promise<Slice<IncidentRecord>> {
    return this.store.list(page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get(id: string): Promise<IncidentRecord> {
    const found = await this.store.find(id);
    if (found === null) throw unknownResource();
    return found;
  }

  /** The organizations that were told of it. @throws GatewayError `notFound`. */
  async organizations(id: string, page: Page): Promise<Slice<AffectedOrganization>> {
    await this.get(id);
    return this.store.organizationsOf(id, page);
  }

  /** @throws GatewayError `invalidRequest`. */
  async create(caller: Caller, body: z.output<typeof newIncident>): Promise<IncidentRecord> {
    const { organization_ids: organizationIds = [], started_at, message, ...fields } = body;
    const { title, audience, state, severity, components, providers, models } = fields;
    this.requireKnown(body);
    requireScope(audience, body);
    await this.requireOrganizations(audience, organizationIds);
    return this.mutations.run(platform(caller), async ({ tx, newId, at, audit }) => {
      const startedAt = started_at === undefined ? at : new Date(started_at);
      if (startedAt > at) throw refused('started_at', 'An incident cannot begin in the future.');
      const id = newId('incident');
      const standing = { state, severity, components, providers, models };
      const about = { source: 'operator', subject: null, audience, organizationIds } as const;
      const created = await this.store.create(
        tx,
        { id, title, startedAt, message, ...about, ...standing },
        at,
      );
      await audit('incident.create', id, initialFields({ title, audience, ...audited(standing) }));
      return created;
    });
  }

  /** @throws GatewayError `notFound`. */
  rename(caller: Caller, id: string, change: z.output<typeof incidentChange>): Promise<IncidentRecord> {
    return this.mutations.run(platform(caller), async ({ tx, audit }) => {
      const before = await this.store.lock(tx, id);
      if (before === null) throw unknownResource();
      const changes = changedFields({ title: before.title }, change);
      if (change.title === undefined || Object.keys(changes).length === 0) return before;
      await audit('incident.update', id, changes);
      return this.store.rename(tx, id, change.title);
    });
  }

  /** @throws GatewayError `notFound`, `invalidRequest`, or `conflict` where the state forbids it. */
  update(caller: Caller, id: string, body: z.output<typeof newIncidentUpdate>): Promise<IncidentRecord> {
    this.requireKnown(body);
    return this.mutations.run(platform(caller), async ({ tx, at, audit }) => {
      const before = await this.store.lock(tx, id);
      if (before === null) throw unknownResource();
      const standing = standingAfter(before, body, at.getTime());
      await audit('incident.update', id, changedFields(audited(before), audited(standing)));
      const managed = before.source === 'automatic';
      const { message } = body;
      return this.store.update(tx, before, { ...standing, message, managed, quietSince: null }, at);
    });
  }

  /** A mistyped name would affect nobody. */
  private requireKnown({
    providers = [],
    models = [],
  }: {
    readonly providers?: readonly string[] | undefined;
    readonly models?: readonly string[] | undefined;
  }): void {
    const catalog = this.catalog();
    const provider = providers.findIndex((name) => !catalog.providers.has(name));
    if (provider !== -1) {
      throw refused(`providers[${String(provider)}]`, 'The catalog has no provider of this name.');
    }
    const model = models.findIndex((name) => !catalog.models.has(name));
    if (model !== -1) throw refused(`models[${String(model)}]`, 'The catalog has no model with this id.');
  }

  private async requireOrganizations(audience: string, ids: readonly string[]): Promise<void> {
    if ((audience === 'organizations') !== ids.length > 0) {
      throw refused('organization_ids', 'Only the audience `organizations` takes ids, and it needs them.');
    }
    const [unknown] = await this.store.unknownOrganizations(ids);
    if (unknown === undefined) return;
    throw refused(`organization_ids[${String(ids.indexOf(unknown))}]`, 'There is no such organization.');
  }
}

/** The entries of an incident are in no organization's audit log. */
const platform = (caller: Caller): Caller => ({ ...caller, organizationId: PLATFORM_LOG });

const refused = (param: string, message: string): GatewayError =>
  new GatewayError('invalidRequest', message, { param });

/** Without the message, which is in the incident itself. */
const audited = ({ state, severity, components, providers, models }: IncidentStanding) => ({
  state,
  severity,
  components: [...components],
  providers: [...providers],
  models: [...models],
});
