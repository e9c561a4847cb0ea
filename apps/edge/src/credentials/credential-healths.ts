import { type CredentialHealthChange } from '@svc/database';
import { type Clock } from '@svc/kernel';
import {
  type AnswerHeaders,
  chooseCredentials,
  type CredentialChoice,
  type CredentialHealth,
  type Headroom,
  headroomBpsAt,
  headroomIn,
  isNews,
  healthAfterRefusal,
  healthAfterSuccess,
  healthAsTold,
  healthSummary,
  type HealthSummary,
  HEALTHY,
  passCredential,
  providerWaitMs,
  type Rest,
  restAt,
  takesCalls,
  type RestKind,
  withoutRest,
} from '@svc/policy';
import { lruCache } from '@svc/runtime';
import { type CredentialPool, healthKey, type PoolMember } from './credential-pool';

const CREDENTIALS_MAX = 100_000;

/** This process's state of one credential. */
interface CredentialState {
  /** `HEALTHY` for nearly all. */
  health: CredentialHealth;
  /** By endpoint id. */
  readonly headrooms: Map<string, Headroom>;
}

const NOTHING_KNOWN: CredentialState = { health: HEALTHY, headrooms: new Map() };

/** The health of a credential at an endpoint, or everywhere. */
interface KnownHealth {
  readonly rest: Rest | null;
  readonly headroom: Headroom | null;
}

/** A call that a provider answered, or refused. */
export interface AnsweredCall {
  readonly endpointId: string;
  readonly sentAtMs: number;
  readonly headers: AnswerHeaders;
}

/** @param endpointId null: everywhere */
type HealthListener = (member: PoolMember, endpointId: string | null, isNews: boolean) => void;

/** The health and the headroom of credentials in this process (docs/credential-pools.md#health). */
export class CredentialHealths {
  /** By their health keys. A credential without a state is healthy. */
  private readonly states = lruCache<string, CredentialState>(CREDENTIALS_MAX);
  private listener: HealthListener = () => undefined;

  constructor(private readonly clock: Clock) {}

  /** @param listener is called for each change here; `isNews` where a rest began or ended */
  watch(listener: HealthListener): void {
    this.listener = listener;
  }

  now(): number {
    return this.clock.now();
  }

  /**
   * @param subject decides between credentials
   * @param preferredKey of the credential that comes before equal ones
   */
  choose(
    pool: CredentialPool,
    endpointId: string,
    subject: string,
    preferredKey?: string,
  ): CredentialChoice<PoolMember> {
    const [first] = pool.members;
    if (pool.members.length === 1 && this.healthOf(first) === HEALTHY) return pool.whole;
    const nowMs = this.clock.now();
    const standings = pool.members.map((credential) => {
      const state = this.states.get(credential.healthKey);
      return {
        credential,
        rest: state === undefined ? null : restAt(state.health, endpointId, nowMs),
        headroomBps: headroomBpsAt(state?.headrooms.get(endpointId), nowMs),
      };
    });
    return chooseCredentials(standings, subject, preferredKey);
  }

  /** True where it takes calls at the endpoint, without a trial. */
  isWell(member: PoolMember, endpointId: string): boolean {
    const health = this.healthOf(member);
    return health === HEALTHY || takesCalls(health, endpointId, this.clock.now());
  }

  /** The rest that keeps a call from a credential, right before it is sent; null where it may be sent, which may be a trial. */
  pass({ healthKey: key }: PoolMember, endpointId: string, isForced: boolean): Rest | null {
    const state = this.states.get(key);
    if (state === undefined || state.health === HEALTHY) return null;
    const nowMs = this.clock.now();
    const { passed, health } = passCredential(state.health, endpointId, nowMs, isForced);
    if (!passed) return restAt(state.health, endpointId, nowMs);
    state.health = health;
    return null;
  }

  succeeded(member: PoolMember, { endpointId, sentAtMs, headers }: AnsweredCall): void {
    this.noteHeadroom(member, endpointId, headers);
    const state = this.states.get(member.healthKey);
    if (state === undefined || state.health === HEALTHY) return;
    const before = state.health;
    state.health = healthAfterSuccess(before, { endpointId, sentAtMs });
    this.tell(member, endpointId, before, state.health);
  }

  refused(member: PoolMember, kind: RestKind, call: AnsweredCall): void {
    const { endpointId, sentAtMs, headers } = call;
    this.noteHeadroom(member, endpointId, headers);
    const nowMs = this.clock.now();
    const state = this.stateOf(member.healthKey);
    const before = state.health;
    const waitMs = providerWaitMs(headers, nowMs);
    state.health = healthAfterRefusal(before, { kind, endpointId, sentAtMs, waitMs }, nowMs);
    this.tell(member, endpointId, before, state.health);
  }

  /** The name of the credential's health now. */
  summaryOf(member: PoolMember): HealthSummary {
    return healthSummary(this.healthOf(member), this.clock.now());
  }

  /** @param endpointId null: everywhere */
  knownOf({ healthKey: key }: PoolMember, endpointId: string | null): KnownHealth {
    const { health, headrooms } = this.states.get(key) ?? NOTHING_KNOWN;
    if (endpointId === null) return { rest: health.refused, headroom: null };
    return { rest: health.cooling.get(endpointId) ?? null, headroom: headrooms.get(endpointId) ?? null };
  }

  /** Its secret is another one now. */
  forget({ healthKey: key }: PoolMember): void {
    this.states.delete(key);
  }

  /** Takes the report of another edge. */
  told({ credential, healthEpoch, endpointId, rest, restsForMs, trialInMs }: CredentialHealthChange): void {
    const key = healthKey(credential, healthEpoch);
    const known = this.states.get(key);
    const at = endpointId ?? '';
    if (rest === null) {
      if (known !== undefined) {
        known.health = withoutRest(known.health, endpointId === null ? 'refused' : 'rate_limit', at);
      }
      return;
    }
    const nowMs = this.clock.now();
    const began: Rest = {
      kind: rest,
      sinceMs: nowMs,
      untilMs: restsForMs === null ? null : nowMs + restsForMs,
      trialAtMs: nowMs + (trialInMs ?? 0),
      count: 1,
    };
    const state = known ?? this.stateOf(key);
    state.health = healthAsTold(state.health, began, at);
  }

  private noteHeadroom(member: PoolMember, endpointId: string, headers: AnswerHeaders): void {
    const headroom = headroomIn(headers, this.clock.now());
    if (headroom === null) return;
    this.stateOf(member.healthKey).headrooms.set(endpointId, headroom);
    this.listener(member, endpointId, false);
  }

  /** Tells of what changed at the endpoint, and everywhere. */
  private tell(
    member: PoolMember,
    endpointId: string,
    before: CredentialHealth,
    after: CredentialHealth,
  ): void {
    if (before.refused !== after.refused) this.listener(member, null, true);
    const was = before.cooling.get(endpointId) ?? null;
    const is = after.cooling.get(endpointId) ?? null;
    if (was !== is) this.listener(member, endpointId, isNews(was, is));
  }

  private healthOf({ healthKey: key }: PoolMember): CredentialHealth {
    return this.states.get(key)?.health ?? HEALTHY;
  }

  private stateOf(key: string): CredentialState {
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const state: CredentialState = { health: HEALTHY, headrooms: new Map() };
    this.states.set(key, state);
    return state;
  }
}
