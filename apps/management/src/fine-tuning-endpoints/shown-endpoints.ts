import { Inject, Injectable } from '@nestjs/common';
import { type Catalog } from '@svc/catalog';
import { type Clock } from '@svc/kernel';
import { type OrganizationPriceStore } from '@svc/ledger/store';
import { EndpointStore, TunedModelStore, type EndpointRecord } from '@svc/fine-tuning/store';
import { offerOf } from '@svc/policy';
import { CATALOG, CLOCK, PRICES } from '../runtime';
import { shownEndpoint, type ShownEndpoint } from './shown-endpoint';

/** Shows endpoints with what follows from their runs, their calls, and the time. */
@Injectable()
export class ShownEndpoints {
  constructor(
    private readonly store: EndpointStore,
    private readonly models: TunedModelStore,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PRICES) private readonly prices: OrganizationPriceStore,
  ) {}

  async one(endpoint: EndpointRecord): Promise<ShownEndpoint> {
    const [shown] = await this.all(endpoint.organizationId, [endpoint]);
    if (shown === undefined) throw new Error('An endpoint is shown');
    return shown;
  }

  async all(organizationId: string, endpoints: readonly EndpointRecord[]): Promise<readonly ShownEndpoint[]> {
    const names = endpoints.map(({ model }) => model);
    const [totals, lastCalls, models, { priceBps }] = await Promise.all([
      this.store.totals(endpoints.map(({ id }) => id)),
      this.store.lastCalls(organizationId, names),
      this.models.activeFor(organizationId),
      this.prices.of(organizationId),
    ]);
    const now = new Date(this.clock.now());
    return endpoints.map((endpoint) => {
      const tuned = models.find(({ name }) => name === endpoint.model);
      const offer = tuned && offerOf(this.catalog(), tuned);
      return shownEndpoint(endpoint, {
        totals: totals.get(endpoint.id),
        lastUsedAt: lastCalls.get(endpoint.model) ?? null,
        catalogPrice: offer?.hardware.find(({ id }) => id === endpoint.hardware)?.pricePerHour ?? null,
        priceBps,
        now,
      });
    });
  }
}
