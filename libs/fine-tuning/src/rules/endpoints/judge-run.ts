import { type ProviderEndpoint } from '../provider/endpoint-driver';
import { DRAIN_SECONDS, type StopReason } from './endpoint-state';
import { secondsBetween } from './metering';

/** A provider's report on the machines of a run. */
export type ProviderReport =
  | { readonly kind: 'is'; readonly endpoint: ProviderEndpoint }
  /** It knows nothing of them. */
  | { readonly kind: 'gone' }
  /** It refused to start them, for good. */
  | { readonly kind: 'refused' }
  /** It answered nothing useful. */
  | { readonly kind: 'nothing' };

/** The verdict on a run that is starting. */
type StartVerdict =
  | { readonly action: 'wait' }
  | { readonly action: 'serve'; readonly inferenceModel: string }
  | { readonly action: 'fail' };

interface StartingRun {
  readonly requestedAt: Date;
  readonly startTimeoutMs: number;
  /** True where the provider had it before: then it is no excuse that it does not know it. */
  readonly wasMade: boolean;
}

/** Judges a start (docs/reference/fine-tuning.md#states-of-an-endpoint). */
export function judgeStart(run: StartingRun, said: ProviderReport, now: Date): StartVerdict {
  if (said.kind === 'refused') return { action: 'fail' };
  if (said.kind === 'is' && said.endpoint.state === 'started')
    return { action: 'serve', inferenceModel: said.endpoint.inferenceModel };
  if (run.wasMade && (said.kind === 'gone' || (said.kind === 'is' && said.endpoint.state !== 'pending')))
    return { action: 'fail' };
  const isLate = now.getTime() - run.requestedAt.getTime() >= run.startTimeoutMs;
  return { action: isLate ? 'fail' : 'wait' };
}

/** The verdict on a run that serves, or served until some time. */
type ServiceVerdict =
  | { readonly action: 'serve' }
  /** Not known: nothing is settled by it. */
  | { readonly action: 'wait' }
  | { readonly action: 'end'; readonly servedUntil: Date; readonly reason: StopReason };

/**
 * Judges a run that nobody ordered to stop.
 * @param lastSeenAt when the provider last said that it served: what came after is not charged where it has ended.
 */
export function judgeService(said: ProviderReport, lastSeenAt: Date, now: Date): ServiceVerdict {
  if (said.kind === 'nothing' || said.kind === 'refused') return { action: 'wait' };
  if (said.kind === 'is' && said.endpoint.state === 'started') return { action: 'serve' };
  const until = said.kind === 'is' ? said.endpoint.servedUntil : null;
  return { action: 'end', servedUntil: earlier(until ?? lastSeenAt, now), reason: 'provider_error' };
}

type StopVerdict =
  /** Calls in flight have their time. */
  | { readonly action: 'drain' }
  /** It is ordered to stop, now or once more. */
  | { readonly action: 'order' }
  /** @property servedUntil the end of what is charged. */
  | { readonly action: 'confirm'; readonly servedUntil: Date };

interface StoppingRun {
  /** When it left the plans: nothing after it is charged. */
  readonly stoppedServingAt: Date;
  readonly hasCallsInFlight: boolean;
}

/** Judges a run that is to stop: the order is repeated until the provider says that it does not serve. */
export function judgeStop(
  { stoppedServingAt, hasCallsInFlight }: StoppingRun,
  said: ProviderReport,
  now: Date,
): StopVerdict {
  if (said.kind === 'gone') return { action: 'confirm', servedUntil: stoppedServingAt };
  if (said.kind === 'is' && (said.endpoint.state === 'stopped' || said.endpoint.state === 'error')) {
    const { servedUntil } = said.endpoint;
    return { action: 'confirm', servedUntil: earlier(servedUntil ?? stoppedServingAt, stoppedServingAt) };
  }
  if (hasCallsInFlight && secondsBetween(stoppedServingAt, now) < DRAIN_SECONDS) return { action: 'drain' };
  return { action: 'order' };
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
