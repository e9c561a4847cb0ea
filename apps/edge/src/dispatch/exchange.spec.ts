import { shownAttempt, upstreamRequestIds, type ProviderAttempt } from './exchange';

const attempt = (upstream_request_id: string | null, error?: string): ProviderAttempt => ({
  provider: 'acme',
  region: 'eu',
  status: 200,
  duration_ms: 7,
  upstream_request_id,
  started_ms: 2,
  first_byte_ms: 5,
  endpoint_id: 'acme/small|acme|eu|small-1',
  credential: 'platform',
  ...(error === undefined ? {} : { error }),
});

describe('the attempts of a call', () => {
  it('are shown to the caller without what only the record keeps', () => {
    const shown = { provider: 'acme', region: 'eu', status: 200, duration_ms: 7 };
    expect(shownAttempt(attempt('req_1'))).toEqual(shown);
    expect(shownAttempt(attempt('req_1', 'provider_error'))).toEqual({ ...shown, error: 'provider_error' });
  });

  it('have a request id each in the log, or nothing where no provider gave one', () => {
    expect(upstreamRequestIds([attempt(null), attempt('req_2')])).toEqual([null, 'req_2']);
    expect(upstreamRequestIds([attempt(null)])).toBeUndefined();
  });
});
