import fc from 'fast-check';
import { AdaptiveBatch } from './adaptive-batch';

const never = { itemsMax: 256 };

/** The batches sent. Each is in flight until it is answered. */
class Wire {
  readonly sent: { items: readonly number[]; answer(): void; fail(error: Error): void }[] = [];

  readonly send = (items: readonly number[]): Promise<readonly number[]> =>
    new Promise((resolve, reject) => {
      this.sent.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject });
    });
}
/** Two turns of the event loop: one handles the answer, and the next sends the waiting items at its end. */
const settled = async (): Promise<void> => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
};

describe('an adaptive batch', () => {
  it('sends the items of one turn of the event loop together, then those that came while that batch was in flight', async () => {
    const wire = new Wire();
    const batch = new AdaptiveBatch(wire.send, never);
    const answers = [1, 2].map((item) => batch.add(item));
    await settled();
    answers.push(batch.add(3));
    await settled();
    answers.push(batch.add(4));
    expect(wire.sent.map(({ items }) => items)).toEqual([[1, 2]]);
    wire.sent[0]!.answer();
    await settled();
    expect(wire.sent.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    wire.sent[1]!.answer();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
  });

  it('gives each item its own answer, in batches no larger than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), async (items, itemsMax) => {
        const sizes: number[] = [];
        const send = (sent: readonly number[]) => {
          sizes.push(sent.length);
          return Promise.resolve(sent.map((item) => item * 10));
        };
        const batch = new AdaptiveBatch(send, { ...never, itemsMax });
        expect(await Promise.all(items.map((item) => batch.add(item)))).toEqual(
          items.map((item) => item * 10),
        );
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(itemsMax);
      }),
    );
  });

  it('tries each item alone when the items are at fault', async () => {
    const send = (items: readonly number[]) =>
      items.includes(0) ? Promise.reject(new Error('zero')) : Promise.resolve(items);
    const batch = new AdaptiveBatch(send, { itemsMax: 256, isItemFault: () => true });
    const outcomes = await Promise.allSettled([1, 2, 0, 3].map((item) => batch.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails the whole batch when they are not, and serves later items', async () => {
    const wire = new Wire();
    const batch = new AdaptiveBatch(wire.send, never);
    const outcomes = Promise.allSettled([1, 2, 3].map((item) => batch.add(item)));
    await settled();
    wire.sent[0]!.fail(new Error('gone'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const next = batch.add(4);
    await settled();
    wire.sent[1]!.answer();
    expect(await next).toBe(40);
  });

  it('is drained when nothing is queued or in flight', async () => {
    const wire = new Wire();
    const batch = new AdaptiveBatch(wire.send, never);
    await batch.drain();
    void batch.add(1);
    await settled();
    void batch.add(2);
    let drained = false;
    const draining = batch.drain().then(() => (drained = true));
    wire.sent[0]!.answer();
    await settled();
    expect(drained).toBe(false);
    await settled();
    wire.sent[1]!.answer();
    await draining;
  });
});
