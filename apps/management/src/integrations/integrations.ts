import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { recordEvent } from '@svc/events';
import {
  DEFAULT_EVENT_TYPES,
  isMessageKind,
  renderMessage,
  type Configuration,
  type GivenConfiguration,
  type IntegrationKind,
  type IntegrationNotice,
} from '@svc/deliveries';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  type IntegrationChange,
  type IntegrationDeliveryRecord,
  IntegrationDeliveryStore,
  type IntegrationRecord,
  IntegrationStore,
} from '@svc/deliveries/store';
import { healthAfterChange, readEventTypes } from '../webhook-events/receivers';
import { Configurations } from './configurations';
import {
  INTEGRATIONS_MAX,
  type integrationChange,
  type integrationFilters,
  type newIntegration,
} from './integration-schema';

type Filter = { [F in keyof typeof integrationFilters]?: z.output<(typeof integrationFilters)[F]> };

/** An organization's integrations, to which its messages and telemetry are sent. */
@Injectable()
export class Integrations {
  constructor(
    private readonly store: IntegrationStore,
    private readonly deliveries: IntegrationDeliveryStore,
    private readonly configurations: Configurations,
    private readonly mutations: Mutations,
  ) {}

  list({ organizationId }: Caller, page: Page, filter: Filter): Promise<Slice<IntegrationRecord>> {
    return this.store.listIntegrations(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<IntegrationRecord> {
    return known(await this.store.findIntegration(organizationId, id));
  }

  /**
   * @throws GatewayError `urlNotAllowed`, `unknownEventType`, `invalidRequest`, or `conflict` where the organization has the
   * most that it can have.
   */
  async create(caller: Caller, body: z.output<typeof newIntegration>): Promise<IntegrationRecord> {
    const { organizationId } = caller;
    const { kind, name } = body;
    const configuration = await this.configurations.read(caller, kind, body.config);
    const eventTypes =
      eventTypesOf(kind, body.event_types) ?? (isMessageKind(kind) ? DEFAULT_EVENT_TYPES : []);
    return this.mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      const count = await this.store.lockIntegrationCount(tx, organizationId);
      requireRoom(count, INTEGRATIONS_MAX, 'integrations', 'delete one first');
      const id = newId('integration');
      const stored = this.configurations.seal(id, configuration);
      const made = await this.store.createIntegration(tx, {
        id,
        organizationId,
        kind,
        name,
        eventTypes,
        ...stored,
      });
      const record = body.enabled
        ? made
        : await this.store.changeIntegration(tx, id, { ...made, state: 'paused', configuration: null });
      await audit('integration.create', id, initialFields(audited(record)));
      await announce('integration.created', announced(record));
      return record;
    });
  }

  /** @throws GatewayError `notFound`, `urlNotAllowed`, `unknownEventType`, `invalidRequest`. */
  async change(
    caller: Caller,
    id: string,
    body: z.output<typeof integrationChange>,
  ): Promise<IntegrationRecord> {
    return this.locked(caller, id, async (before, { tx, audit }) => {
      const configuration = body.config && (await this.changed(tx, caller, before, body.config));
      const change = changeBy(before, body);
      const after = { ...before, ...change, config: configuration?.shown ?? before.config };
      const changes = {
        // A new secret is visible even where what is shown of it is the same.
        ...(hasNewSecret(body.config) ? { config: {} } : {}),
        ...changedFields(audited(before), audited(after)),
      };
      if (Object.keys(changes).length === 0) return before;
      await audit('integration.update', id, changes, audited(before));
      const stored = configuration === undefined ? null : this.configurations.seal(id, configuration);
      return this.store.changeIntegration(tx, id, { ...change, configuration: stored });
    });
  }

  /** Alert rules no longer name it. @throws GatewayError `notFound`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      await audit('integration.delete', id, { name: { from: before.name } }, audited(before));
      await this.store.deleteIntegration(tx, before);
      await announce('integration.deleted', announced(before));
    });
  }

  /**
   * Sends an `integration.test`, whatever the integration subscribes to and even when it is paused.
   * @throws GatewayError `notFound`.
   */
  test(caller: Caller, id: string): Promise<IntegrationDeliveryRecord> {
    return this.locked(caller, id, async (integration, { tx, newId, at, audit }) => {
      await audit('integration.test', id);
      const { organizationId } = caller;
      const event = recordEvent(
        newId('event'),
        'integration.test',
        organizationId,
        at.getTime(),
        announced(integration),
      );
      const notice = {
        id: event.id,
        type: event.type,
        createdAt: at.toISOString(),
        data: announced(integration),
      };
      return this.deliveries.queue(tx, {
        id: newId('webhookDelivery'),
        organizationId,
        integrationId: id,
        eventId: event.id,
        eventType: event.type,
        body: bodyOf(integration.kind, notice),
        alertId: null,
      });
    });
  }

  private async changed(
    tx: Mutation['tx'],
    caller: Caller,
    before: IntegrationRecord,
    given: GivenConfiguration,
  ): Promise<Configuration> {
    const sealedSecret = await this.store.sealedSecret(tx, before.id);
    return this.configurations.change(caller, { ...before, sealedSecret }, given);
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (before: IntegrationRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    return this.mutations.run(caller, async (mutation) =>
      work(known(await this.store.lockIntegration(mutation.tx, caller.organizationId, id)), mutation),
    );
  }
}

/** For `otlp`, the marker of a test: the dispatcher sends a span. */
const bodyOf = (kind: IntegrationKind, notice: IntegrationNotice): string =>
  isMessageKind(kind) ? renderMessage(kind, notice) : JSON.stringify({ span: 'svc.test' });

function eventTypesOf(
  kind: IntegrationKind,
  given: readonly string[] | undefined,
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (isMessageKind(kind) || given.length === 0) return readEventTypes(given);
  const param = 'event_types';
  throw new GatewayError('invalidRequest', `${param}: ${kind} takes telemetry, not events.`, { param });
}

function changeBy(
  before: IntegrationRecord,
  { name, event_types: eventTypes, enabled }: z.output<typeof integrationChange>,
): Omit<IntegrationChange, 'configuration'> {
  return {
    name: name ?? before.name,
    eventTypes: eventTypesOf(before.kind, eventTypes) ?? before.eventTypes,
    ...healthAfterChange(before, enabled),
  };
}

const hasNewSecret = (given: GivenConfiguration | undefined): boolean =>
  given !== undefined && [given.url, given.routing_key, given.headers].some((field) => field !== undefined);

/** The fields that people decide. Deliveries change the count of failures all the time. */
const audited = (record: IntegrationRecord) => ({
  kind: record.kind,
  name: record.name,
  config: record.config,
  event_types: [...record.eventTypes],
  state: record.state,
});

const announced = ({ id, kind, name }: IntegrationRecord) => ({ integration_id: id, kind, name });
