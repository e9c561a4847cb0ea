import fc from 'fast-check';
import { eventTypes } from './event-catalogue';
import { isEventTypePattern, matchesSubscription } from './subscription';

const anyType = fc.constantFrom(...eventTypes);

describe('an entry of event_types', () => {
  it('33: may be any catalog name, or a noun and a wildcard', () => {
    for (const type of eventTypes) {
      expect(isEventTypePattern(type)).toBe(true);
      expect(isEventTypePattern(type.replace(/\..*/, '.*'))).toBe(true);
    }
  });

  it.each([
    '',
    '*',
    '.*',
    '*.*',
    '*.created',
    'api_key',
    'api_key.',
    'api_key*',
    'api_key.**',
    'api_key.*.x',
    'api_key.cre*',
    'api_key.updated',
    'API_KEY.created',
    'Credential.*',
    ' credential.*',
    'credential.*\n',
    'unknown.*',
    'fine_tuning.job',
    'fine_tuning.job.*',
    'fine.*',
    'constructor',
    '__proto__.*',
  ])('33: is not %j', (text) => {
    expect(isEventTypePattern(text)).toBe(false);
  });
});

describe('a subscription', () => {
  it('33: that is empty covers every event', () => {
    for (const type of eventTypes) expect(matchesSubscription([], type)).toBe(true);
  });

  it('33: to a noun covers all of its events, at every depth, and no other', () => {
    const told = eventTypes.filter((type) => matchesSubscription(['fine_tuning.*'], type));
    expect(told).toEqual([
      'fine_tuning.job.succeeded',
      'fine_tuning.job.failed',
      'fine_tuning.job.cancelled',
      'fine_tuning.endpoint.running',
      'fine_tuning.endpoint.stopped',
    ]);
  });

  it('to names covers these names only', () => {
    fc.assert(
      fc.property(fc.array(anyType, { minLength: 1 }), anyType, (subscribed, type) => {
        expect(matchesSubscription(subscribed, type)).toBe(subscribed.includes(type));
      }),
    );
  });
});
