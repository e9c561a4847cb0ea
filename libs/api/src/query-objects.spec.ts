import { z } from 'zod';
import { withObjects } from './query-objects';

const schema = z.strictObject({
  model: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

describe('the objects of a query', () => {
  it('are gathered from their members', () => {
    const given = { model: 'acme/small', 'metadata[team]': 'search', 'metadata[a.b c]': 'x' };
    expect(withObjects(schema, given)).toEqual({
      model: 'acme/small',
      metadata: { team: 'search', 'a.b c': 'x' },
    });
    expect(withObjects(schema, {})).toEqual({});
  });

  it.each([
    [{ 'model[a]': 'x' }],
    [{ 'metadata[]': 'x' }],
    [{ 'metadata[a][b]': 'x' }],
    [{ 'other[a]': 'x' }],
    [{ metadata: 'x', 'metadata[a]': 'x' }],
  ])('are refused like unknown fields and wrong values elsewhere: %j', (given) => {
    expect(withObjects(schema, given)).toEqual(given);
    expect(schema.safeParse(withObjects(schema, given)).success).toBe(false);
  });

  it('have no member that is not their own', () => {
    const given = JSON.parse('{"metadata[__proto__]":"a","__proto__":"b"}') as object;
    expect(JSON.stringify(withObjects(schema, given))).toBe('{"__proto__":"b","metadata":{"__proto__":"a"}}');
  });
});
