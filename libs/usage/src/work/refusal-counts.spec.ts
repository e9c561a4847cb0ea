import fc from 'fast-check';
import { GatewayError } from '@svc/kernel';
import { RefusalCounts } from './refusal-counts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const caller = { organizationId: 'org_1', projectId: null, apiKeyId: 'key_1' };
const rateLimit = new GatewayError('rateLimit', 'Used up.');
const unknownModel = new GatewayError('notFound', 'There is no such model.');

describe('counts of refusals', () => {
  it('sum up refusals of a kind within an hour, with the time and the message of the last', () => {
    const counts = new RefusalCounts(10);
    counts.add(caller, 'acme/small', rateLimit, NOON);
    counts.add(caller, 'acme/small', new GatewayError('rateLimit', 'Used up again.'), NOON + HOUR_MS - 1);
    expect(counts.take(10)).toEqual([
      {
        ...caller,
        hourMs: NOON,
        model: 'acme/small',
        code: 'rate_limit',
        httpStatus: 429,
        count: 2,
        lastAtMs: NOON + HOUR_MS - 1,
        lastMessage: 'Used up again.',
      },
    ]);
    expect(counts.size).toBe(0);
  });

  it('keep hours, keys, projects, models and codes apart', () => {
    const counts = new RefusalCounts(10);
    counts.add(caller, null, rateLimit, NOON);
    counts.add(caller, null, rateLimit, NOON + HOUR_MS);
    counts.add(caller, null, unknownModel, NOON);
    counts.add(caller, 'acme/small', rateLimit, NOON);
    counts.add({ ...caller, apiKeyId: 'key_2' }, null, rateLimit, NOON);
    counts.add({ ...caller, projectId: 'prj_1' }, null, rateLimit, NOON);
    expect(counts.take(10).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('drop refusals of further kinds when there are too many, and count on the others', () => {
    const counts = new RefusalCounts(2);
    const models = ['a/1', 'a/2', 'a/3', 'a/1'];
    expect(models.map((model) => counts.add(caller, model, rateLimit, NOON))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(counts.take(1).map(({ model, count }) => [model, count])).toEqual([['a/1', 2]]);
    expect(counts.size).toBe(1);
    expect(counts.add(caller, 'a/3', rateLimit, NOON)).toBe(true);
  });

  it('keep 300 characters of a message', () => {
    const counts = new RefusalCounts(1);
    counts.add(caller, null, new GatewayError('invalidRequest', `${'x'.repeat(299)}😀 and more`), NOON);
    expect(counts.take(1)[0]?.lastMessage).toBe(`${'x'.repeat(299)}�`);
  });

  it('lose and double nothing, however they are taken', () => {
    const refusal = fc.record({ model: fc.constantFrom('a/1', 'a/2', null), hour: fc.nat(2) });
    const step = fc.oneof(refusal, fc.integer({ min: 1, max: 3 }));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const counts = new RefusalCounts(100);
        let [added, taken] = [0, 0];
        const take = (rowsMax: number) => {
          for (const { count } of counts.take(rowsMax)) taken += count;
        };
        for (const each of steps) {
          if (typeof each === 'number') take(each);
          else if (counts.add(caller, each.model, rateLimit, NOON + each.hour * HOUR_MS)) added++;
        }
        take(100);
        expect(taken).toBe(added);
      }),
    );
  });
});
