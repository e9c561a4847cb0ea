/**
 * Why a provider takes no calls with a credential. `rate_limit` and `forbidden` hold at one endpoint, because providers limit and permit
 * by model; `refused` holds at all.
 */
export type RestKind = 'rate_limit' | 'forbidden' | 'refused';

/** A time in which a credential gets no calls, but trials. Times are in milliseconds of the clock of this process. */
export interface Rest {
  readonly kind: RestKind;
  /** When the provider last began it. An answer to a call that was sent before says nothing of it. */
  readonly sinceMs: number;
  /** When calls may go to it again. Null: once a trial succeeds. */
  readonly untilMs: number | null;
  /** The earliest moment at which one call may try. */
  readonly trialAtMs: number;
  /** How often in a row the provider rested it. */
  readonly count: number;
}

/** The health of one credential. {@link HEALTHY} for nearly all of them. */
export interface CredentialHealth {
  readonly refused: Rest | null;
  /** By endpoint id. One that is over stays until a call succeeds, so that the next is longer. */
  readonly cooling: ReadonlyMap<string, Rest>;
}

export const HEALTHY: CredentialHealth = { refused: null, cooling: new Map() };

/** An answer of the provider that rests a credential. */
export interface RestingAnswer {
  readonly kind: RestKind;
  readonly endpointId: string;
  /** When the call was sent. */
  readonly sentAtMs: number;
  /** The wait that the provider asks for, see `providerWaitMs`; null where it says nothing. */
  readonly waitMs: number | null;
}

const WAIT_MS_FIRST = 10_000;
const WAIT_MS_LAST = 5 * 60_000;
const FORBIDDEN_MS = 10 * 60_000;
const COOLING_TRIAL_EVERY_MS = 60_000;
const REFUSED_TRIAL_FIRST_MS = 5 * 60_000;
const REFUSED_TRIAL_EVERY_MS = 60 * 60_000;
/** Processes take so long at most to tell each other: times that differ by less are the same. */
const NEWS_MS = 1_000;

/** The health after the provider refused a call (docs/credential-pools.md#health). */
export function healthAfterRefusal(
  health: CredentialHealth,
  { kind, endpointId, sentAtMs, waitMs }: RestingAnswer,
  nowMs: number,
): CredentialHealth {
  const before = (kind === 'refused' ? health.refused : health.cooling.get(endpointId)) ?? null;
  // Of calls that were under way together, the first refusal counts as one more in a row.
  const isLate = before !== null && sentAtMs < before.sinceMs;
  const count = isLate ? before.count : (before?.count ?? 0) + 1;
  const sinceMs = isLate ? before.sinceMs : nowMs;
  if (kind === 'refused') {
    if (isLate) return health;
    const trialInMs = count === 1 ? REFUSED_TRIAL_FIRST_MS : REFUSED_TRIAL_EVERY_MS;
    return { ...health, refused: { kind, sinceMs, untilMs: null, trialAtMs: nowMs + trialInMs, count } };
  }
  const untilMs = nowMs + (kind === 'forbidden' ? FORBIDDEN_MS : (waitMs ?? doubled(count)));
  if (isLate && untilMs <= (before.untilMs ?? 0)) return health;
  const trialAtMs = Math.min(untilMs, nowMs + COOLING_TRIAL_EVERY_MS);
  return withCooling(health, endpointId, { kind, sinceMs, untilMs, trialAtMs, count });
}

const doubled = (count: number): number => Math.min(WAIT_MS_FIRST * 2 ** (count - 1), WAIT_MS_LAST);

/** The health after an answer. One to a call that was sent before a rest began does not end it. */
export function healthAfterSuccess(
  health: CredentialHealth,
  { endpointId, sentAtMs }: Pick<RestingAnswer, 'endpointId' | 'sentAtMs'>,
): CredentialHealth {
  if (health === HEALTHY) return health;
  const isOver = (rest: Rest | null): boolean => rest !== null && sentAtMs >= rest.sinceMs;
  let after = health;
  if (isOver(health.refused)) after = withoutRest(after, 'refused', endpointId);
  if (isOver(health.cooling.get(endpointId) ?? null)) after = withoutRest(after, 'rate_limit', endpointId);
  return after;
}

/** The health without one of its rests: at all endpoints for `refused`, else at one. */
export function withoutRest(
  { refused, cooling }: CredentialHealth,
  kind: RestKind,
  endpointId: string,
): CredentialHealth {
  const after =
    kind === 'refused'
      ? { refused: null, cooling }
      : { refused, cooling: new Map([...cooling].filter(([id]) => id !== endpointId)) };
  return after.refused === null && after.cooling.size === 0 ? HEALTHY : after;
}

/** The rest that keeps calls at the endpoint from the credential now; null where none does, or one may try. */
export function restAt(health: CredentialHealth, endpointId: string, nowMs: number): Rest | null {
  if (health === HEALTHY) return null;
  const { refused } = health;
  if (refused !== null && nowMs < refused.trialAtMs) return refused;
  const cooling = health.cooling.get(endpointId);
  return cooling !== undefined && nowMs < cooling.trialAtMs ? cooling : null;
}

/** True where it takes calls at the endpoint, and not only one that tries. */
export const takesCalls = (
  { refused, cooling }: CredentialHealth,
  endpointId: string,
  nowMs: number,
): boolean => {
  const rest = cooling.get(endpointId);
  return refused === null && (rest === undefined || !isOn(rest, nowMs));
};

interface Passed {
  readonly passed: boolean;
  readonly health: CredentialHealth;
}

/**
 * Asks to send one call, right before it is sent. A trial moves the next one off, so that one without a reported outcome keeps the
 * others waiting for that long only.
 * @param isForced whether the call is sent although the credential rests, which counts as a trial
 */
export function passCredential(
  health: CredentialHealth,
  endpointId: string,
  nowMs: number,
  isForced = false,
): Passed {
  if (health === HEALTHY) return { passed: true, health };
  if (!isForced && restAt(health, endpointId, nowMs) !== null) return { passed: false, health };
  let after = health;
  if (after.refused !== null) {
    after = { ...after, refused: { ...after.refused, trialAtMs: nowMs + REFUSED_TRIAL_EVERY_MS } };
  }
  const cooling = after.cooling.get(endpointId);
  if (cooling !== undefined && isOn(cooling, nowMs)) {
    const trialAtMs = Math.min(cooling.untilMs ?? Infinity, nowMs + COOLING_TRIAL_EVERY_MS);
    after = withCooling(after, endpointId, { ...cooling, trialAtMs });
  }
  return { passed: true, health: after };
}

const isOn = ({ untilMs }: Rest, nowMs: number): boolean => untilMs === null || nowMs < untilMs;

const withCooling = (
  { refused, cooling }: CredentialHealth,
  endpointId: string,
  rest: Rest,
): CredentialHealth => ({ refused, cooling: new Map(cooling).set(endpointId, rest) });

/** The health with what another process tells of it: the later of two ends holds. */
export function healthAsTold(health: CredentialHealth, told: Rest, endpointId: string): CredentialHealth {
  if (told.kind === 'refused') {
    return health.refused === null ? { ...health, refused: told } : health;
  }
  const known = health.cooling.get(endpointId);
  if (known === undefined) return withCooling(health, endpointId, told);
  const untilMs = known.untilMs ?? 0;
  if (untilMs >= (told.untilMs ?? 0)) return health;
  // One that begins about when the known one ends is the next in a row: else the waits would not double over several processes.
  const count = told.sinceMs + NEWS_MS < untilMs ? known.count : known.count + 1;
  return withCooling(health, endpointId, { ...told, count });
}

/** True where others are told of it: not where answers to calls that were under way together moved the end of a rest a little. */
export const isNews = (before: Rest | null, after: Rest | null): boolean =>
  before === null ||
  after === null ||
  before.kind !== after.kind ||
  Math.abs((before.untilMs ?? 0) - (after.untilMs ?? 0)) >= NEWS_MS;

/** The name of a credential's health, and when a call may go to it again. */
export interface HealthSummary {
  readonly name: 'ok' | 'cooling' | 'refused';
  readonly retryAtMs: number | null;
}

export function healthSummary({ refused, cooling }: CredentialHealth, nowMs: number): HealthSummary {
  if (refused !== null) return { name: 'refused', retryAtMs: refused.trialAtMs };
  const rests = [...cooling.values()].filter((rest) => isOn(rest, nowMs));
  if (rests.length === 0) return { name: 'ok', retryAtMs: null };
  return { name: 'cooling', retryAtMs: Math.min(...rests.map(({ trialAtMs }) => trialAtMs)) };
}
