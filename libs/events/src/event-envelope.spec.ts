import { EVENT_API_VERSION, recordEvent } from './event-envelope';

describe('a recorded event', () => {
  it('is serialised once, compact, with sorted keys at every depth', () => {
    const event = recordEvent('evt_1', 'wallet.credit_granted', 'org_1', 0, {
      credit_grant_id: 'crg_1',
      balance_nanos: 7,
      amount_nanos: 5,
    });
    expect(event.payload).toBe(
      `{"api_version":"${EVENT_API_VERSION}","created_at":"1970-01-01T00:00:00.000Z",` +
        '"data":{"amount_nanos":5,"balance_nanos":7,"credit_grant_id":"crg_1"},' +
        '"id":"evt_1","organization_id":"org_1","type":"wallet.credit_granted"}',
    );
  });
});
