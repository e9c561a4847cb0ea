import { csvOf, type CsvCell } from '../../format/csv';
import { plainDollars } from '../../format/money';
import { type ModelRequest } from '../../calls/request';

const columns: Readonly<Record<string, (row: ModelRequest) => CsvCell>> = {
  id: ({ id }) => id,
  created_at: ({ created_at: at }) => at,
  route: ({ route }) => route,
  model: ({ model }) => model,
  provider: ({ provider }) => provider,
  attempts: ({ attempts }) => attempts.length,
  status: ({ status }) => status,
  http_status: ({ http_status: status }) => status,
  error_code: ({ error_code: code }) => code,
  stream: ({ stream }) => String(stream),
  input_tokens: ({ usage }) => usage.input_tokens,
  cached_input_tokens: ({ usage }) => usage.cached_input_tokens,
  cache_write_tokens: ({ usage }) => usage.cache_write_tokens,
  output_tokens: ({ usage }) => usage.output_tokens,
  reasoning_tokens: ({ usage }) => usage.reasoning_tokens,
  ttft_ms: ({ ttft_ms: ms }) => ms,
  duration_ms: ({ duration_ms: ms }) => ms,
  customer_nanos: ({ cost }) => cost.customer_nanos,
  customer_usd: ({ cost }) => plainDollars(cost.customer_nanos),
  provider_nanos: ({ cost }) => cost.provider_nanos,
  provider_usd: ({ cost }) => plainDollars(cost.provider_nanos),
  cost_state: ({ cost }) => cost.state,
  api_key_id: ({ api_key_id: id }) => id,
  project_id: ({ project_id: id }) => id,
  session_id: ({ session_id: id }) => id,
};

/** Calls under the names of the API, every amount exact. */
export const requestsCsv = (rows: readonly ModelRequest[]): string =>
  csvOf(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((cell) => cell(row))),
  );
