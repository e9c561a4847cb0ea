import { randomUUID } from 'node:crypto';
import { type Clock, type GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/runtime/observability';
import { type RolloutMinuteStore } from '@svc/usage/store';
import { type EndedCall, isFailure } from './ended-call';
import { type CallCharges } from './call-sum';
import { type CallArm, RolloutMinuteSums } from './rollout-minute-sums';
import { SumWriter } from './sum-writer';

/** Two for each rollout that runs. */
const SUMS_MAX = 20_000;
const NOTHING_CHARGED: CallCharges = { customerNanos: 0, providerNanos: 0 };

interface RolloutMinuteRecorderOptions {
  readonly store: Pick<RolloutMinuteStore, 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly writeEveryMs?: number;
}

/** Adds up the ended calls of rollouts by the minute, as `CallMinuteRecorder` does all calls. */
export class RolloutMinuteRecorder {
  private readonly sums = new RolloutMinuteSums(SUMS_MAX, randomUUID);
  private readonly writer: SumWriter<ReturnType<RolloutMinuteSums['changed']>[number]>;

  constructor(private readonly options: RolloutMinuteRecorderOptions) {
    const { store, logger, writeEveryMs } = options;
    this.writer = new SumWriter({
      what: 'sums of the calls of rollouts by the minute',
      sums: this.sums,
      write: (sums) => store.write(sums),
      logger,
      writeEveryMs,
    });
  }

  /** Counts a call that has ended, for each of its arms. Nearly always none. */
  note(arms: readonly CallArm[], call: Omit<EndedCall, 'servedBy' | 'attempts'>, charges: CallCharges): void {
    if (arms.length > 0) this.add(arms, call, charges);
  }

  /** Counts a call that the target of a rollout refused before it was sent, where the refusal is a failure of the target. */
  noteRefused(rolloutId: string, { definition: { status } }: GatewayError): void {
    const refused = {
      status: 'failed',
      httpStatus: status,
      usage: null,
      ttftMs: null,
      durationMs: 0,
    } as const;
    if (isFailure(refused)) this.add([{ rolloutId, arm: 'treatment' }], refused, NOTHING_CHARGED);
  }

  /** Writes what is left, if the database takes it. */
  stop(): Promise<void> {
    return this.writer.stop();
  }

  private add(
    arms: readonly CallArm[],
    call: Parameters<RolloutMinuteSums['add']>[1],
    charges: CallCharges,
  ): void {
    this.sums.enter(this.options.clock.now());
    for (const arm of arms) this.sums.add(arm, call, charges);
    this.writer.wake();
  }
}
