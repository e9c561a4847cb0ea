import { nanosOf } from './dollars';
import { type RequestsAddress } from './schema';

export type FilterKey = Exclude<keyof RequestsAddress & string, 'live' | 'open'>;

/** The parameters of the address that narrow the list, in the order of its filters. */
export const filterKeys = [
  'status',
  'model',
  'provider',
  'key',
  'project',
  'http_status',
  'error',
  'attempts',
  'cost',
  'duration',
  'first_token',
  'stream',
  'session',
  'after',
  'before',
] as const satisfies readonly FilterKey[];

export const isFiltered = (address: RequestsAddress): boolean =>
  filterKeys.some((key) => address[key] !== undefined);

const joined = (values: readonly unknown[] | undefined) => values?.join(',');

/** The address as the API takes it. */
export const queryOf = (address: RequestsAddress) => ({
  model: joined(address.model),
  provider: joined(address.provider),
  status: joined(address.status),
  http_status: joined(address.http_status),
  error_code: joined(address.error),
  api_key_id: joined(address.key),
  project_id: joined(address.project),
  stream: address.stream === undefined ? undefined : (String(address.stream) as 'true' | 'false'),
  session_id: address.session,
  attempts_min: address.attempts,
  min_cost_nanos: nanosOf(address.cost) as never,
  min_duration_ms: address.duration,
  min_ttft_ms: address.first_token,
  created_after: address.after,
  created_before: address.before,
});
