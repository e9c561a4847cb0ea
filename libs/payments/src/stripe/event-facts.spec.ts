import fc from 'fast-check';
import { eventFacts } from './event-facts';

const object = {
  object: 'checkout.session',
  id: 'cs_1',
  payment_intent: 'pi_1',
  metadata: { payment_id: 'pay_1' },
};
const event = { id: 'evt_1', type: 'checkout.session.completed', data: { object } };
const facts = {
  id: 'evt_1',
  type: 'checkout.session.completed',
  paymentId: 'pay_1',
  reference: 'cs_1',
  intentReference: 'pi_1',
};
const noIds = ['', 'a'.repeat(256), 'a\u0000b', '\u0000', 'a b', 'é', '\ud800', 7, null, {}, ['evt_1'], true];

describe('an event', () => {
  it('tells which payment it is about', () => {
    expect(eventFacts(event)).toEqual(facts);
    const intent = { object: 'payment_intent', id: 'pi_1', payment_intent: 'pi_2' };
    expect(eventFacts({ ...event, data: { object: intent } })).toMatchObject({
      paymentId: null,
      reference: null,
      intentReference: 'pi_1',
    });
  });

  it.each(noIds)('whose own id or type is %j is none', (value) => {
    expect(eventFacts({ ...event, id: value })).toBeNull();
    expect(eventFacts({ ...event, type: value })).toBeNull();
  });

  it.each(noIds)('names nothing where an id in it is %j', (value) => {
    const told = (changed: object) => eventFacts({ ...event, data: { object: { ...object, ...changed } } });
    expect(told({ id: value })).toEqual({ ...facts, reference: null });
    expect(told({ payment_intent: value })).toEqual({ ...facts, intentReference: null });
    expect(told({ metadata: { payment_id: value } })).toEqual({ ...facts, paymentId: null });
    expect(told({ metadata: value })).toEqual({ ...facts, paymentId: null });
  });

  it('may be any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (any, data) => {
        expect(() => eventFacts(any)).not.toThrow();
        expect(eventFacts({ ...event, data })).toMatchObject({ id: 'evt_1' });
        expect(eventFacts({ ...event, data: { object: data } })).toMatchObject({ id: 'evt_1' });
      }),
    );
  });
});
