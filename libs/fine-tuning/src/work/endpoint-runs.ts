import { type Claim, type Database, prismaOf } from '@svc/database';
import { type FineTuningEndpointRun } from '@svc/database/rows';
import { DEFAULT_PRICES, type HoldDecision, type OrganizationPrices } from '@svc/ledger';
import { type NewId } from '@svc/kernel';
import { OrganizationPriceStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { type StopReason } from '../rules/endpoints/endpoint-state';
import { judgeService, judgeStart, judgeStop, type ProviderReport } from '../rules/endpoints/judge-run';
import {
  endOf,
  holdSecondAfter,
  nextSlice,
  runSecondsMax,
  secondsBetween,
} from '../rules/endpoints/metering';
import { idleAt, type StopFacts, stopReasonOf } from '../rules/endpoints/stop-rules';
import { hasCallsInFlight, lastCallOf } from '../store/endpoint-calls';
import { costOfSeconds, EndpointSlices, sliceBps } from '../store/endpoint-slices';
import { EndpointEnds } from './endpoint-ends';
import { EndpointLeases, type LockedRun } from './endpoint-lease';

/** A run that a worker goes on with. */
export interface LeasedRun extends Claim {
  readonly state: 'starting' | 'running' | 'stopping' | 'stopped' | 'failed';
  readonly organizationId: string;
  readonly provider: string;
  readonly region: string;
  readonly upstreamModel: string;
  readonly credentialId: string | null;
  readonly hardware: string;
  readonly idleStopMinutes: number;
  /** The provider's id; null before it is known. */
  readonly upstreamEndpoint: string | null;
}

/** Facts that the worker brings beside the database. */
interface TurnFacts {
  /** True where the catalog still has the provider and the hardware. */
  readonly isOffered: boolean;
  /** True where the provider has just been ordered to stop. */
  readonly wasOrdered: boolean;
  /** `SVC_FINE_TUNING_POLL_SECONDS`, in milliseconds. */
  readonly pollMs: number;
}

interface Turn {
  /** The next step of the worker: it orders a stop and judges the answer, or nothing, because the run is given back. */
  readonly next: 'order' | 'nothing';
  /** Seconds that were found to be paid by nobody. */
  readonly unmeteredSeconds: number;
}

const DONE: Turn = { next: 'nothing', unmeteredSeconds: 0 };
/** The shortest pause between two turns. */
const PAUSE_MS = 100;
const DRAIN_LOOK_MS = 1_000;
const STOP_LOOK_MS = 2_000;
/** So long after its end a run without a provider's id is looked for: the provider may have got its start late. */
const LATE_START_MS = 600_000;
const LATE_START_LOOK_MS = 60_000;

interface RunsOptions {
  readonly newId?: NewId;
  readonly leaseMs?: number;
  /** The default prices of slices. */
  readonly prices?: OrganizationPrices | undefined;
}

/**
 * The work of endpoints (docs/decisions/0048). A turn asks the provider, then commits what follows under the number of its claim: state,
 * money, event and audit entry together. Nothing is settled that the provider did not say.
 */
export class EndpointRuns {
  private readonly leases: EndpointLeases;
  private readonly slices = new EndpointSlices();
  private readonly ends: EndpointEnds;
  private readonly prices: OrganizationPriceStore;

  constructor(database: Database, { newId = systemIds, leaseMs, prices = DEFAULT_PRICES }: RunsOptions = {}) {
    this.prices = new OrganizationPriceStore(database, prices);
    this.leases = new EndpointLeases(database, leaseMs);
    this.ends = new EndpointEnds(database, newId);
  }

  /** Asks whether any run may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** @returns the run that has been due for longest; null without one. */
  async claim(): Promise<LeasedRun | null> {
    const lease = await this.leases.claim();
    if (lease === null) return null;
    return this.leases.within(lease, ({ run, endpoint }) =>
      Promise.resolve({
        ...lease,
        state: run.state as LeasedRun['state'],
        organizationId: run.organizationId,
        provider: run.provider,
        region: run.region,
        upstreamModel: run.upstreamModel,
        credentialId: run.credentialId,
        hardware: run.hardware,
        idleStopMinutes: endpoint.idleStopMinutes,
        upstreamEndpoint: run.upstreamEndpoint,
      }),
    );
  }

  postpone(lease: Claim): Promise<void> {
    return this.leases.postpone(lease);
  }

  /** Notes what the provider knows the run by. @throws LeaseLostError */
  async noteMade(lease: Claim, upstreamEndpoint: string): Promise<void> {
    await this.leases.within(lease, async ({ tx, run }) => {
      await prismaOf(tx).fineTuningEndpointRun.update({ where: { id: run.id }, data: { upstreamEndpoint } });
    });
  }

  /** Commits what follows from what the provider said. @throws LeaseLostError */
  advanceRun(lease: Claim, said: ProviderReport, facts: TurnFacts): Promise<Turn> {
    return this.leases.within(lease, (locked) => {
      switch (locked.run.state) {
        case 'starting':
          return this.starting(locked, said, facts);
        case 'running':
          return this.running(locked, said, facts);
        case 'stopping':
          return this.stopping(locked, said, facts);
        default:
          // It has ended meanwhile: what is left at the provider is the next turn's.
          return this.giveBack(locked, 0);
      }
    });
  }

  /** The provider has nothing of an ended run any more. @throws LeaseLostError */
  async noteRemoved(lease: Claim): Promise<void> {
    await this.leases.within(lease, async ({ tx, run, now }) => {
      const isLate = now.getTime() - (run.endedAt ?? now).getTime() >= LATE_START_MS;
      if (run.upstreamEndpoint === null && !isLate) {
        return this.leases.giveBack(tx, run, new Date(now.getTime() + LATE_START_LOOK_MS));
      }
      await prismaOf(tx).fineTuningEndpointRun.update({ where: { id: run.id }, data: { removedAt: now } });
      return this.leases.giveBack(tx, run, null);
    });
  }

  private async starting(locked: LockedRun, said: ProviderReport, facts: TurnFacts): Promise<Turn> {
    const { tx, run, now } = locked;
    const forbidden = forbiddenBy(locked, facts);
    if (forbidden !== null) return this.stop(locked, forbidden, now, said, facts);
    const wasMade = run.upstreamEndpoint !== null;
    const verdict = judgeStart({ ...run, wasMade }, said, now);
    if (verdict.action === 'fail') {
      await this.ends.fail(tx, run);
      return DONE;
    }
    if (verdict.action === 'wait') {
      const lateMs = run.requestedAt.getTime() + run.startTimeoutMs - now.getTime();
      return this.giveBack(locked, Math.min(facts.pollMs, lateMs));
    }
    await this.ends.serve(tx, run, verdict.inferenceModel, now);
    return this.giveBack(locked, 0);
  }

  private async running(locked: LockedRun, said: ProviderReport, facts: TurnFacts): Promise<Turn> {
    const { tx, now } = locked;
    let { run } = locked;
    const runningSince = run.runningSince ?? now;
    const service = judgeService(said, run.lastSeenAt ?? runningSince, now);
    if (service.action === 'end') return this.stop(locked, service.reason, service.servedUntil, said, facts);
    const runSeconds = secondsBetween(runningSince, now);
    if (service.action === 'serve') {
      run = await prismaOf(tx).fineTuningEndpointRun.update({
        where: { id: run.id },
        data: { lastSeenAt: now },
      });
      await this.slices.settleSlice(tx, run, runSeconds, false);
    }
    const before = await this.stopFacts(locked, run, facts);
    const reason = stopReasonOf(before, now);
    if (reason !== null && !isRefused(reason)) return this.stop({ ...locked, run }, reason, now, said, facts);
    const held = await this.holdNext(locked, run, runSeconds);
    const after = { ...before, heldUntilSecond: held.untilSecond, holdRefusal: held.refusal };
    const refused = stopReasonOf(after, now);
    if (refused !== null) return this.stop({ ...locked, run }, refused, now, said, facts);
    const dueMs = nextLookMs(after, held.holdSecond, now);
    await this.giveBack(locked, Math.min(facts.pollMs, dueMs));
    return { next: 'nothing', unmeteredSeconds: held.gapSeconds };
  }

  /** Leaves the plans of calls, and judges what the provider said by that. */
  private async stop(
    locked: LockedRun,
    reason: StopReason,
    servedUntil: Date,
    said: ProviderReport,
    facts: TurnFacts,
  ): Promise<Turn> {
    const run = await this.ends.stop(locked.tx, locked.run, reason, servedUntil);
    return this.stopping({ ...locked, run }, said, facts);
  }

  private async stopping(locked: LockedRun, said: ProviderReport, facts: TurnFacts): Promise<Turn> {
    const { tx, run, now } = locked;
    const stoppedServingAt = run.stoppedServingAt ?? now;
    const inFlight = run.runningSince !== null && !facts.wasOrdered && (await hasCallsInFlight(tx, run));
    const verdict = judgeStop({ stoppedServingAt, hasCallsInFlight: inFlight }, said, now);
    if (verdict.action === 'confirm')
      return { next: 'nothing', unmeteredSeconds: await this.ends.confirm(tx, run, verdict.servedUntil) };
    if (verdict.action === 'drain') return this.giveBack(locked, DRAIN_LOOK_MS);
    if (facts.wasOrdered) return this.giveBack(locked, Math.min(facts.pollMs, STOP_LOOK_MS));
    return { next: 'order', unmeteredSeconds: 0 };
  }

  /** Holds the slice that is due, if one is. */
  private async holdNext({ tx, endpoint }: LockedRun, run: FineTuningEndpointRun, runSeconds: number) {
    const { last, committed } = await this.slices.sums(tx, run);
    const schedule = { sliceSeconds: run.sliceSeconds, maxSeconds: runSecondsMax(endpoint.maxHours / 100) };
    const next = nextSlice(last, runSeconds, schedule);
    if (next === null) {
      return { untilSecond: endOf(last), refusal: null, holdSecond: holdSecondAfter(last), gapSeconds: 0 };
    }
    const priceBps = sliceBps(run, await this.prices.of(run.organizationId, tx));
    const { both } = costOfSeconds(run, next.seconds, priceBps);
    const isTooMuch = endpoint.maxSpendNanos !== null && committed + both > endpoint.maxSpendNanos;
    const decision = isTooMuch ? null : await this.slices.openSlice(tx, run, next, priceBps);
    const refusal = refusalOf(decision);
    if (decision !== null && decision.held !== null) {
      await this.slices.noteSlice(tx, run, next, { held: decision.held, priceBps });
    }
    const gapSeconds = refusal === null ? next.fromSecond - endOf(last) : 0;
    await prismaOf(tx).$executeRaw`
      UPDATE fine_tuning_endpoint_runs SET hold_refusal = ${refusal}, unmetered_seconds = unmetered_seconds + ${gapSeconds}
      WHERE id = ${run.id}`;
    const newest = refusal === null ? next : last;
    return { untilSecond: endOf(newest), refusal, holdSecond: holdSecondAfter(newest), gapSeconds };
  }

  private async stopFacts(
    locked: LockedRun,
    run: FineTuningEndpointRun,
    facts: TurnFacts,
  ): Promise<StopFacts> {
    const { tx, endpoint, isModelDeleted, isSuspended, now } = locked;
    const runningSince = run.runningSince ?? now;
    const idle = {
      runningSince,
      lastCallAt: await lastCallOf(tx, run, runningSince),
      idleStopMinutes: endpoint.idleStopMinutes,
    };
    return {
      ...idle,
      // It matters to an idle run alone.
      hasCallsInFlight: now >= idleAt(idle) && (await hasCallsInFlight(tx, run)),
      maxSeconds: runSecondsMax(endpoint.maxHours / 100),
      heldUntilSecond: Infinity,
      holdRefusal: null,
      isModelDeleted,
      isSuspended,
      isOffered: facts.isOffered,
    };
  }

  private async giveBack({ tx, run, now }: LockedRun, pauseMs: number): Promise<Turn> {
    await this.leases.giveBack(tx, run, new Date(now.getTime() + Math.max(pauseMs, PAUSE_MS)));
    return DONE;
  }
}

/** Reasons that end a run of any kind. */
function forbiddenBy(
  { isModelDeleted, isSuspended }: LockedRun,
  { isOffered }: TurnFacts,
): 'organization_suspended' | 'model_deleted' | 'operator' | null {
  if (isSuspended) return 'organization_suspended';
  if (isModelDeleted) return 'model_deleted';
  return isOffered ? null : 'operator';
}

const isRefused = (reason: StopReason): boolean => reason === 'budget' || reason === 'wallet_empty';

/** @param decision null where the run may spend no more. */
const refusalOf = (decision: HoldDecision | null): 'budget' | 'wallet_empty' | null => {
  if (decision === null) return 'budget';
  if (decision.held !== null) return null;
  return decision.refusedBy === 'wallet' ? 'wallet_empty' : 'budget';
};

/** When something is to be done at the latest, from now. */
function nextLookMs(facts: StopFacts, holdSecond: number, now: Date): number {
  const startMs = facts.runningSince.getTime();
  const nowMs = now.getTime();
  const times = [
    idleAt(facts).getTime(),
    startMs + facts.maxSeconds * 1_000,
    startMs + facts.heldUntilSecond * 1_000,
  ];
  times.push(startMs + holdSecond * 1_000);
  const ahead = times.filter((time) => time > nowMs);
  return Math.min(...ahead) - nowMs;
}
