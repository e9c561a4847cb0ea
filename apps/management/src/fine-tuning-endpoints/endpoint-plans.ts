import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type Catalog } from '@svc/catalog';
import { type RunTerms, type TunedModelRecord } from '@svc/fine-tuning/store';
import { planServing } from '@svc/policy';
import { subjectOf } from '../routing/caller-policies';
import { RoutingSource } from '../routing/routing-source';
import { CATALOG, ENDPOINT_SLICE_SECONDS } from '../runtime';

/** @throws GatewayError as {@link planServing}. */
export type PlanRun = (tuned: TunedModelRecord, hardwareId: string) => RunTerms;

/** Plans machines for tuned models as calls are planned. */
@Injectable()
export class EndpointPlans {
  constructor(
    private readonly routing: RoutingSource,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
    @Inject(ENDPOINT_SLICE_SECONDS) private readonly sliceSeconds: number,
  ) {}

  /** By the rules of the organization, as they are now. */
  async of(caller: Caller): Promise<PlanRun> {
    const routing = await this.routing.of(subjectOf(caller));
    const facts = routing.availabilityFacts(routing.inForce);
    return (tuned, hardwareId) => {
      const { offer, hardware } = planServing(tuned, hardwareId, this.catalog(), facts);
      return {
        provider: offer.provider.name,
        upstreamModel: tuned.upstreamModel,
        region: tuned.region,
        credentialId: tuned.credentialId,
        hardware: hardware.id,
        startTimeoutMs: hardware.startTimeoutMs,
        pricePerHour: hardware.pricePerHour,
        sliceSeconds: this.sliceSeconds,
        prices: routing.prices,
      };
    };
  }
}
