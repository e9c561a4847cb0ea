import { EVENT_API_VERSION, recordEvent } from './event-envelope';

const granted = { credit_grant_id: 'crg_1', balance_nanos: 7, amount_nanos: 5 };

describe('a recorded event', () => {
  it('37, 39: is serialised once, compact, with sorted keys at every depth', () => {
    const event = recordEvent('evt_1', 'wallet.credit_granted', 'org_1', 0, granted);
    expect(event.payload).toBe(
      `{"api_version":"${EVENT_API_VERSION}","created_at":"1970-01-01T00:00:00.000Z",` +
        '"data":{"amount_nanos":5,"balance_nanos":7,"credit_grant_id":"crg_1"},' +
        '"id":"evt_1","organization_id":"org_1","type":"wallet.credit_granted"}',
    );
  });

  it('40: escapes only what JSON must escape, and is always valid UTF-8', () => {
    const { payload } = recordEvent('evt_1', 'credential.auth_failed', 'org_1', 0, {
      credential_id: 'cred_1',
      provider: 'é😀\u2028"\\\u0000\ud800',
      status: 401,
    });
    expect(payload).toContain('"provider":"é😀\u2028\\"\\\\\\u0000\\ud800"');
    expect(Buffer.from(payload).toString()).toBe(payload);
  });

  it('43: is refused with an undeclared field, and the error does not repeat the value', () => {
    const row = { ...granted, prompt: 'my secret prompt' };
    const record = () => recordEvent('evt_1', 'wallet.credit_granted', 'org_1', 0, row);
    expect(record).toThrow(TypeError);
    expect(record).not.toThrow(/secret/);
  });

  it('is refused with a value of the wrong kind, and the error names only the field', () => {
    const record = () =>
      recordEvent('evt_1', 'wallet.credit_granted', 'org_1', 0, { ...granted, credit_grant_id: 'hush hush' });
    expect(record).toThrow('wallet.credit_granted: data.credit_grant_id invalid_format');
  });

  it.each([0.5, -1, NaN, Infinity, 2 ** 53])('39: is refused with %p nanos', (amount) => {
    const record = () =>
      recordEvent('evt_1', 'wallet.credit_granted', 'org_1', 0, { ...granted, amount_nanos: amount });
    expect(record).toThrow(TypeError);
  });
});
