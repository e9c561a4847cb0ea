import { type Clock, GatewayError } from '@svc/kernel';
import { type BucketDemand } from '@svc/limits';
import { allRestingError, errorOfExhaustedPlan, type PlannedAttempt, type Rest } from '@svc/policy';
import { type CredentialHealths } from '../credentials/credential-healths';
import { type PoolMember } from '../credentials/credential-pool';
import { type CredentialRates } from './credential-rates';
import { type Circuits } from './circuits';

export interface GateParts {
  readonly circuits: Circuits;
  readonly credentialHealths: CredentialHealths;
  readonly credentialRates: CredentialRates;
  readonly clock: Clock;
}

type GatedAttempt = Pick<PlannedAttempt, 'endpoint' | 'isForced'>;

/**
 * Lets the attempts of one call through, right before each is made, and remembers why others were passed over: since the call was
 * planned, a circuit may have opened, and a credential may have begun to rest or have used up its rates.
 */
export class AttemptGate {
  private readonly rests: Rest[] = [];
  private readonly refusals: GatewayError[] = [];
  /** The endpoint whose circuit let the last attempt through; null before the first. */
  private passedEndpointId: string | null = null;

  /** @param demand what the call takes of a credential's own buckets */
  constructor(
    private readonly parts: GateParts,
    private readonly demand: BucketDemand,
  ) {}

  /**
   * @param member null where no credential is sent
   * @returns a promise only for a credential that has rates of its own
   * @throws GatewayError `overloaded` where its buckets cannot be reached
   */
  lets({ endpoint: { id }, isForced }: GatedAttempt, member: PoolMember | null): boolean | Promise<boolean> {
    if (member === null) return this.passesCircuit(id);
    const { circuits, credentialHealths } = this.parts;
    // First without taking the trial call of the circuit, which a resting credential would waste.
    if (this.passedEndpointId !== id && circuits.isOpen(id)) return false;
    const rest = credentialHealths.pass(member, id, isForced === true);
    if (rest !== null) {
      this.rests.push(rest);
      return false;
    }
    return member.rateLimit === null ? this.passesCircuit(id) : this.letsWithinRates(id, member);
  }

  /** The error of a call of which no attempt was made. That it could never fit is told only where no wait helps. */
  error(): GatewayError {
    const { rests, refusals } = this;
    const resting = rests.length === 0 ? [] : [allRestingError(rests, this.parts.clock.now())];
    const [first, ...others] = [...refusals, ...resting].filter(
      ({ reason }) => reason === 'providerRateLimit',
    );
    if (first !== undefined) return errorOfExhaustedPlan([first, ...others]);
    return resting[0] ?? refusals[0] ?? allCircuitsOpen();
  }

  private async letsWithinRates(endpointId: string, member: PoolMember): Promise<boolean> {
    const refusal = await this.parts.credentialRates.refusalOf(member, this.demand);
    if (refusal !== null) this.refusals.push(refusal);
    return refusal === null && this.passesCircuit(endpointId);
  }

  /**
   * The attempts of a call at one endpoint with several credentials are one trial of a half-open circuit: the plan runner makes the next
   * one only where the last said nothing of the endpoint.
   */
  private passesCircuit(id: string): boolean {
    if (this.passedEndpointId === id) return true;
    const passes = this.parts.circuits.pass(id);
    if (passes) this.passedEndpointId = id;
    return passes;
  }
}

const allCircuitsOpen = (): GatewayError =>
  new GatewayError('overloaded', 'Every provider of this model is failing right now. Please retry.');
