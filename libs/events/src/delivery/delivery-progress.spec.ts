import fc from 'fast-check';
import {
  deliveryAfter,
  newDelivery,
  outcomeOf,
  retriedByHand,
  type DeliveryOutcome,
  type DeliveryProgress,
} from './delivery-progress';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const claimed = (delivery: DeliveryProgress): DeliveryProgress => ({
  ...delivery,
  attemptCount: delivery.attemptCount + 1,
});
const after = (...outcomes: readonly DeliveryOutcome[]) =>
  outcomes.reduce((delivery, outcome) => deliveryAfter(claimed(delivery), outcome, NOW), newDelivery(NOW));

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i acknowledges', (statusCode) => {
    expect(outcomeOf(statusCode)).toBe('acknowledged');
  });

  it.each([100, 101, 103, 199, 300, 301, 304, 307, 400, 401, 404, 410, 429, 500, 600, 999, null])(
    'of %p is a failure',
    (statusCode) => {
      expect(outcomeOf(statusCode)).toBe('failed');
    },
  );
});

describe('a delivery', () => {
  it('is due as soon as it exists', () => {
    expect(newDelivery(NOW)).toEqual({ status: 'queued', round: 1, attemptCount: 0, nextAttemptAt: NOW });
  });

  it('that is acknowledged has succeeded, without a next attempt', () => {
    expect(after('failed', 'acknowledged')).toEqual({
      status: 'succeeded',
      round: 1,
      attemptCount: 2,
      nextAttemptAt: null,
    });
  });

  it('that fails waits for the delay of that attempt, and is dead after the sixth failure', () => {
    const course = [1, 2, 3, 4, 5, 6].map((failures) => {
      const { status, nextAttemptAt } = after(...Array<DeliveryOutcome>(failures).fill('failed'));
      return [status, nextAttemptAt];
    });
    expect(course).toEqual([
      ...[60, 300, 1_800, 7_200, 43_200].map((delay) => ['failed', later(delay)]),
      ['dead', null],
    ]);
  });

  it('whose attempt was lost in a crash is due again at once, but the attempt counts', () => {
    expect(after('worker_lost')).toEqual({ status: 'failed', round: 1, attemptCount: 1, nextAttemptAt: NOW });
    expect(after('worker_lost', 'failed').nextAttemptAt).toEqual(later(300));
    expect(after(...Array<DeliveryOutcome>(6).fill('worker_lost')).status).toBe('dead');
  });

  it.each([after('acknowledged'), after('failed'), after(...Array<DeliveryOutcome>(6).fill('failed'))])(
    'that is %j restarts the schedule when it is retried by hand',
    (delivery) => {
      expect(retriedByHand(delivery, NOW)).toEqual({
        status: 'queued',
        round: 2,
        attemptCount: 0,
        nextAttemptAt: NOW,
      });
    },
  );

  it('that gets two concurrent retries by hand is retried once', () => {
    const retried = retriedByHand(after('failed'), NOW);
    expect(retriedByHand(retried, later(1))).toBe(retried);
  });

  it('has at most six attempts per round, and a next attempt exactly while it is queued or failed', () => {
    const anyStep = fc.constantFrom('acknowledged', 'failed', 'worker_lost', 'retry' as const);
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        let delivery = newDelivery(NOW);
        for (const step of steps) {
          if (step === 'retry') delivery = retriedByHand(delivery, NOW);
          else if (delivery.nextAttemptAt !== null) delivery = deliveryAfter(claimed(delivery), step, NOW);
          const waits = delivery.status === 'queued' || delivery.status === 'failed';
          expect(delivery.nextAttemptAt !== null).toBe(waits);
          expect(delivery.attemptCount).toBeLessThanOrEqual(waits ? 5 : 6);
        }
      }),
    );
  });
});
