import { errorCatalogue, type ErrorName } from './catalogue';
import { errorEnvelope, errorHeaders } from './envelope';
import { GatewayError } from './gateway-error';

const reasons = Object.keys(errorCatalogue) as ErrorName[];
const headersOf = (reason: ErrorName, retryAfterMs?: number) =>
  errorHeaders(new GatewayError(reason, 'no', retryAfterMs === undefined ? {} : { retryAfterMs }));

describe('an error envelope', () => {
  it.each(reasons)('of %s holds the values of the catalogue', (reason) => {
    const { type, code, retriable } = errorCatalogue[reason];
    expect(errorEnvelope(new GatewayError(reason, 'Say what to do.'), 'req_1')).toEqual({
      error: { type, code, retriable, message: 'Say what to do.', request_id: 'req_1' },
    });
  });

  it('names the field at fault when there is one', () => {
    const error = new GatewayError('invalidRequest', 'Must be text.', { param: 'messages[0].content' });
    expect(errorEnvelope(error, 'req_1').error.param).toBe('messages[0].content');
  });

  it("carries the provider's status in its code", () => {
    const error = new GatewayError('providerRejected', 'Too long.', { code: 'provider_http_413' });
    expect(errorEnvelope(error, 'req_1').error.code).toBe('provider_http_413');
  });

  it('never contains the cause', () => {
    const error = new GatewayError('internal', 'Sorry.', { cause: new Error('password of the database') });
    expect(JSON.stringify(errorEnvelope(error, 'req_1'))).not.toContain('password');
  });
});

describe('the headers of an error', () => {
  it.each(reasons)('of %s tell SDKs whether to retry', (reason) => {
    expect(headersOf(reason)['x-should-retry']).toBe(String(errorCatalogue[reason].retriable));
  });

  it('have Retry-After on a 429 only', () => {
    const withIt = reasons.filter((reason) => 'retry-after' in headersOf(reason, 2000));
    expect(withIt).toEqual(reasons.filter((reason) => errorCatalogue[reason].status === 429));
  });

  it('have retry-after-ms on a 429 and a retriable 409 or 503', () => {
    const withIt = reasons.filter((reason) => 'retry-after-ms' in headersOf(reason, 2000));
    expect(withIt).toEqual(['idempotencyInProgress', 'rateLimit', 'providerRateLimit', 'overloaded']);
  });

  it.each([
    ['a wait in whole seconds, rounded up', 1001, '1001', '2'],
    ['no less than a second', 0, '0', '1'],
    ['whole milliseconds', 0.2, '1', '1'],
    ['at most a minute', 90_000, '60000', '60'],
  ])('give %s', (_, waitMs, milliseconds, seconds) => {
    const headers = headersOf('rateLimit', waitMs);
    expect([headers['retry-after-ms'], headers['retry-after']]).toEqual([milliseconds, seconds]);
  });
});

describe('a thrown value', () => {
  it('that is a gateway error stays the same', () => {
    const error = new GatewayError('notFound', 'Nothing here.');
    expect(GatewayError.from(error)).toBe(error);
  });

  it.each([[new Error('secret')], ['secret'], [undefined], [null]])(
    'that nothing expected (%p) is a retriable 500 that keeps its cause to itself',
    (thrown) => {
      const error = GatewayError.from(thrown);
      expect(error.definition).toEqual(expect.objectContaining({ status: 500, retriable: true }));
      expect(error.message).not.toContain('secret');
      expect(error.cause).toBe(thrown);
    },
  );
});
