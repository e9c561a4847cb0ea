import { nanos, type Nanos } from '@svc/kernel';
import { parseMoney, plainDollars } from '../../format/money';
import { type components } from '../../api/generated/management';

export type TunedEndpoint = components['schemas']['FineTuningEndpoint'];
export type NewTunedEndpoint = components['schemas']['NewFineTuningEndpoint'];
type Change = Required<components['schemas']['FineTuningEndpointChange']>;

/** Whether it costs, or is about to: its state is read again then. */
export const isUp = ({ state }: Pick<TunedEndpoint, 'state'>): boolean =>
  state === 'starting' || state === 'running' || state === 'stopping';

/** Whether somebody can order it to stop. */
export const canStop = ({ state }: Pick<TunedEndpoint, 'state'>): boolean =>
  state === 'starting' || state === 'running';

const MINUTES = 60n;
const SECONDS = 3_600n;
const upwards = (amount: bigint, parts: bigint): Nanos => nanos((amount + parts - 1n) / parts);

/** The price of a minute, by the price of an hour; rounded up to the nano. */
export const perMinute = (pricePerHour: bigint): Nanos => upwards(pricePerHour, MINUTES);

/**
 * The cost of the last run until it was read, rounded up to the nano as its slices are. It is settled slice by slice,
 * so `charged_nanos` lags behind it while it runs.
 */
export const costSoFar = (run: Pick<TunedEndpoint, 'running_seconds'>, pricePerHour: bigint): Nanos =>
  upwards(BigInt(run.running_seconds) * pricePerHour, SECONDS);

/** When an endpoint stops by itself, as typed. */
export interface Limits {
  readonly idleMinutes: number | null;
  readonly hours: string;
  readonly spend: string;
}

/** The limits that the API takes where none are given. */
export const defaultLimits: Limits = { idleMinutes: 60, hours: '24', spend: '' };

export const limitsOf = (endpoint: TunedEndpoint): Limits => ({
  idleMinutes: endpoint.idle_stop_minutes,
  hours: String(endpoint.max_hours),
  spend: endpoint.max_spend_nanos === null ? '' : plainDollars(endpoint.max_spend_nanos),
});

export type MissingLimit = 'idleMinutes' | 'hours' | 'spend';

/** Problems that keep limits from being sent. */
export function missingLimits({ idleMinutes, hours, spend }: Limits): ReadonlySet<MissingLimit> {
  const missing = new Set<MissingLimit>();
  if (idleMinutes === null) missing.add('idleMinutes');
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(hours.trim()) || Number(hours) === 0) missing.add('hours');
  const parsed = parseMoney(spend);
  if ('problem' in parsed ? parsed.problem !== 'empty' : parsed.amount === 0n) missing.add('spend');
  return missing;
}

/** Limits that nothing is missing in, as the API takes them. */
export function changeOf({ idleMinutes, hours, spend }: Limits): Change {
  const parsed = parseMoney(spend);
  return {
    idle_stop_minutes: idleMinutes ?? 0,
    max_hours: Number(hours),
    max_spend_nanos: 'amount' in parsed ? parsed.amount : null,
  };
}
