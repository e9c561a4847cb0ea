import { type Alert } from './alert';
import { callsOf } from './calls-of';

const none = {
  project_id: null,
  api_key_id: null,
  model: null,
  provider: null,
  budget_id: null,
  webhook_endpoint_id: null,
  integration_id: null,
};
const alertOf = (metric: Alert['rule']['metric'], filter: Partial<Alert['rule']['filter']> = {}) =>
  ({
    rule: { metric, threshold: 500, filter: { ...none, ...filter } },
    window_started_at: '2026-11-20T09:00:00.000Z',
    resolved_at: null,
  }) as Alert;

describe('the calls of an alert', () => {
  it('are those of its filters that failed, since its window began', () => {
    expect(callsOf(alertOf('error_rate_bps', { model: 'acme/small' }))).toEqual({
      after: '2026-11-20T09:00:00.000Z',
      model: 'acme/small',
      status: 'failed',
    });
  });

  it('are those that took as long as it watches for', () => {
    expect(callsOf(alertOf('latency_p95_ms'))).toMatchObject({ duration: '500' });
    expect(callsOf(alertOf('ttft_p95_ms'))).toMatchObject({ first_token: '500' });
  });

  it('are none where it counts something else', () => {
    expect(callsOf(alertOf('wallet_available_nanos'))).toBeNull();
  });
});
