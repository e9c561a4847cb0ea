import { Injectable } from '@nestjs/common';
import { type AlertRecord, AlertStore } from '@svc/alerts/store';
import { type z } from 'zod';
import { known, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
import { type alertFilters } from './alert-schema';

type Filters = { readonly [K in keyof typeof alertFilters]?: z.output<(typeof alertFilters)[K]> };

/** An organization's alerts. The worker opens and resolves them. */
@Injectable()
export class Alerts {
  constructor(
    private readonly store: AlertStore,
    private readonly mutations: Mutations,
  ) {}

  list({ organizationId, projectId }: Caller, page: Page, filters: Filters): Promise<Slice<AlertRecord>> {
    const { state, alert_rule_id: alertRuleId, created_after, created_before } = filters;
    const filter = { state, alertRuleId, createdAfter: created_after, createdBefore: created_before };
    return this.store.listAlerts(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<AlertRecord> {
    return known(await this.store.findAlert(organizationId, id, projectId));
  }

  /**
   * Whoever acknowledged an alert first stays noted.
   * @throws GatewayError `notFound`; `conflict` for a resolved alert.
   */
  acknowledge(caller: Caller, id: string): Promise<AlertRecord> {
    const { organizationId, projectId, actor } = caller;
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const before = known(await this.store.lockAlert(tx, organizationId, id, projectId));
      if (before.acknowledgedBy !== null) return before;
      if (before.state === 'resolved') {
        throw new GatewayError('conflict', 'A resolved alert cannot be acknowledged.');
      }
      const by = actor.id ?? actor.type;
      await audit('alert.acknowledge', id, changedFields({ acknowledged_by: null }, { acknowledged_by: by }));
      return this.store.acknowledge(tx, before, by, at);
    });
  }
}
