import { Inject, Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { type Catalog } from '@svc/catalog';
import { canonicalJson, GatewayError, type JsonValue, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, PLATFORM_LOG, type Transaction } from '@svc/database';
import { createHash } from 'node:crypto';
import { Mutations } from '@svc/approvals/store';
import { type IncidentStanding, requireScope, standingAfter } from '@svc/incidents';
import {
  type AffectedOrganization,
  type IncidentFilter,
  type IncidentIdempotency,
  type IncidentRecord,
  IncidentStore,
} from '@svc/incidents/store';
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
    return this.store.listIncidents(page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get(id: string): Promise<IncidentRecord> {
    return known(await this.store.findIncident(id));
  }

  /** The organizations that were told of it. @throws GatewayError `notFound`. */
  async organizations(id: string, page: Page): Promise<Slice<AffectedOrganization>> {
    await this.get(id);
    return this.store.organizationsOf(id, page);
  }

  /**
   * A retry with the same key and body within 24 hours answers with the incident as it is by then.
   * @throws GatewayError `invalidRequest`; `idempotencyKeyReused` where the key was used for another incident.
   */
  async create(
    caller: Caller,
    body: z.output<typeof newIncident>,
    idempotencyKey: string | null,
  ): Promise<IncidentRecord> {
    const { organization_ids: organizationIds = [], started_at, message, ...fields } = body;
    const { title, audience, state, severity, components, providers, models } = fields;
    this.requireKnown(body);
    requireScope(audience, body);
    await this.requireOrganizations(audience, organizationIds);
    const idempotency = idempotencyKey === null ? null : { key: idempotencyKey, hash: hashOf(body) };
    return this.mutations.run(platform(caller), async ({ tx, newId, at, audit }) => {
      const earlier = idempotency === null ? null : await this.findEarlier(tx, idempotency);
      if (earlier !== null) return earlier;
      const startedAt = started_at === undefined ? at : new Date(started_at);
      if (startedAt > at) throw refused('started_at', 'An incident cannot begin in the future.');
      const id = newId('incident');
      const standing = { state, severity, components, providers, models };
      const about = { source: 'operator', subject: null, audience, organizationIds, idempotency } as const;
      const created = await this.store.createIncident(
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
      const before = known(await this.store.lockIncident(tx, id));
      const changes = changedFields({ title: before.title }, change);
      if (change.title === undefined || Object.keys(changes).length === 0) return before;
      await audit('incident.update', id, changes);
      return this.store.renameIncident(tx, id, change.title);
    });
  }

  /** @throws GatewayError `notFound`, `invalidRequest`, or `conflict` where the state forbids it. */
  update(caller: Caller, id: string, body: z.output<typeof newIncidentUpdate>): Promise<IncidentRecord> {
    this.requireKnown(body);
    return this.mutations.run(platform(caller), async ({ tx, at, audit }) => {
      const before = known(await this.store.lockIncident(tx, id));
      const standing = standingAfter(before, body, at.getTime());
      await audit('incident.update', id, changedFields(audited(before), audited(standing)));
      const managed = before.source === 'automatic';
      const { message } = body;
      return this.store.updateIncident(tx, before, { ...standing, message, managed, quietSince: null }, at);
    });
  }

  /** The second of two calls with the same key waits here, and then finds the incident of the first. */
  private async findEarlier(
    tx: Transaction,
    { key, hash }: IncidentIdempotency,
  ): Promise<IncidentRecord | null> {
    const earlier = await this.store.lockByKey(tx, key);
    if (earlier === null) return null;
    if (earlier.hash === hash) return this.store.lockIncident(tx, earlier.id);
    throw new GatewayError('idempotencyKeyReused', 'This key was used for another incident.', {
      param: 'Idempotency-Key',
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

const hashOf = (body: z.output<typeof newIncident>): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(body)) as JsonValue))
    .digest('hex');

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
