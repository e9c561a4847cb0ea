import { GatewayError } from '@svc/kernel';

import {
  classifyFailure,
  errorOfExhaustedPlan,
  retryAfterMsOf,
  type UpstreamFailure,
} from './classify-failure';

const status = (code: number, details: { providerMessage?: string; retryAfterMs?: number } = {}) =>
  ({ kind: 'status', status: code, providerMessage: null, retryAfterMs: null, ...details }) as const;

describe('classifyFailure', () => {
  it.each<[UpstreamFailure, number, string, { next: boolean; circuit: boolean; credential: boolean }]>([
    [status(400), 400, 'provider_http_400', { next: false, circuit: false, credential: false }],
    [status(401), 502, 'provider_error', { next: true, circuit: false, credential: true }],
    [status(402), 502, 'provider_error', { next: true, circuit: false, credential: true }],
    [status(403), 502, 'provider_error', { next: true, circuit: false, credential: true }],
    [status(404), 400, 'provider_http_404', { next: false, circuit: false, credential: false }],
    [status(408), 502, 'provider_error', { next: true, circuit: false, credential: false }],
    [status(409), 502, 'provider_error', { next: true, circuit: false, credential: false }],
    [status(413), 400, 'provider_http_413', { next: false, circuit: false, credential: false }],
    [status(422), 400, 'provider_http_422', { next: false, circuit: false, credential: false }],
    [status(425), 502, 'provider_error', { next: true, circuit: false, credential: false }],
    [status(429), 429, 'provider_rate_limit', { next: true, circuit: false, credential: false }],
    [status(500), 502, 'provider_error', { next: true, circuit: true, credential: false }],
    [status(502), 503, 'overloaded', { next: true, circuit: true, credential: false }],
    [status(503), 503, 'overloaded', { next: true, circuit: true, credential: false }],
    [status(504), 503, 'overloaded', { next: true, circuit: true, credential: false }],
    [status(529), 502, 'provider_error', { next: true, circuit: true, credential: false }],
    [status(302), 502, 'provider_error', { next: true, circuit: true, credential: false }],
    [{ kind: 'connection' }, 502, 'provider_error', { next: true, circuit: true, credential: false }],
    [{ kind: 'first_byte_timeout' }, 503, 'overloaded', { next: true, circuit: true, credential: false }],
    [{ kind: 'idle_timeout' }, 503, 'overloaded', { next: true, circuit: true, credential: false }],
    [{ kind: 'not_the_protocol' }, 502, 'provider_error', { next: true, circuit: true, credential: false }],
  ])('answers %j with %d %s', (failure, httpStatus, code, verdict) => {
    const { next, error, countsForCircuit, credentialRefused } = classifyFailure(failure);
    expect([error.definition.status, error.code]).toEqual([httpStatus, code]);
    expect({ next, circuit: countsForCircuit, credential: credentialRefused }).toEqual(verdict);
  });

  it.each<[UpstreamFailure, string | null]>([
    [status(401), 'refused'],
    [status(402), 'refused'],
    [status(403), 'forbidden'],
    [status(429), 'rate_limit'],
    [{ ...status(429), errorNames: ['insufficient_quota'] }, 'refused'],
    [{ ...status(429), errorNames: ['rate_limit_error', 'billing_error'] }, 'refused'],
    [{ ...status(429), errorNames: ['rate_limit_exceeded', 'tokens'] }, 'rate_limit'],
    [{ ...status(400), errorNames: ['insufficient_quota'] }, null],
    [status(500), null],
    [{ kind: 'connection' }, null],
  ])('says of %j that it rests the credential as %s', (failure, kind) => {
    const { rests, countsForCircuit, boundToCredential } = classifyFailure(failure);
    expect(rests).toBe(kind);
    if (kind !== null) expect([countsForCircuit, boundToCredential]).toEqual([false, true]);
  });

  it('answers a spent quota as a failure of the provider, because waiting does not help', () => {
    const { error } = classifyFailure({ ...status(429), errorNames: ['insufficient_quota'] });
    expect(error.code).toBe('provider_error');
  });

  it('forwards the provider’s message only where the caller is at fault', () => {
    const message = (code: number) =>
      classifyFailure(status(code, { providerMessage: 'secret host' })).error.message;
    expect(message(400)).toBe('secret host');
    for (const code of [401, 429, 500, 503]) expect(message(code)).not.toContain('secret host');
  });

  it('forwards what the provider says of an answer that it broke off', () => {
    const { error } = classifyFailure({ kind: 'not_the_protocol', providerMessage: 'Out of memory' });
    expect([error.code, error.message]).toEqual(['provider_error', 'Out of memory']);
    expect(classifyFailure({ kind: 'not_the_protocol' }).error.message).toMatch(/unusable answer/);
  });

  it('has a default message for a refusal without one', () => {
    expect(classifyFailure(status(404)).error.message).toBe('The provider refused the call with status 404.');
  });

  it('keeps the cause of a broken connection for the log only', () => {
    const cause = new Error('ECONNREFUSED 10.0.0.1');
    const { error } = classifyFailure({ kind: 'connection', cause });
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('10.0.0.1');
  });

  it('forwards the provider’s retry delay, up to a minute', () => {
    expect(classifyFailure(status(429, { retryAfterMs: 7000 })).error.retryAfterMs).toBe(7000);
    expect(classifyFailure(status(429, { retryAfterMs: 900_000 })).error.retryAfterMs).toBe(60_000);
    expect(classifyFailure(status(429)).error.retryAfterMs).toBeUndefined();
  });
});

describe('errorOfExhaustedPlan', () => {
  const limited = (retryAfterMs: number) => classifyFailure(status(429, { retryAfterMs })).error;
  const failed = classifyFailure(status(500)).error;
  const overloaded = new GatewayError('overloaded', 'busy');

  it('is a rate limit only when every attempt was rate-limited, with the shortest wait', () => {
    expect(errorOfExhaustedPlan([limited(9000), limited(3000), limited(5000)]).retryAfterMs).toBe(3000);
  });

  it('is the last other error', () => {
    expect(errorOfExhaustedPlan([failed, overloaded, limited(1)])).toBe(overloaded);
  });
});

describe('retryAfterMsOf', () => {
  const nowMs = Date.UTC(2026, 0, 1);

  it.each([
    ['7', 7000],
    [' 0.5 ', 500],
    ['3600', 60_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %j as %j ms', (header, waitMs) => {
    expect(retryAfterMsOf(header, nowMs)).toBe(waitMs);
  });
});
