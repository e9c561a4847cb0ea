import { z } from 'zod';
import { requireDigits, validated } from './validation';

const app = z.strictObject({
  name: z.string().min(1),
  redirect_uris: z.array(z.url()),
  limits: z.strictObject({ rpm: z.int() }).optional(),
  target: z.union([z.strictObject({ id: z.string() }), z.null()]).optional(),
});
const good = { name: 'Acme', redirect_uris: ['https://acme.example/callback'] };

describe('the validation of input', () => {
  it('gives what the schema reads', () => {
    expect(validated(app, good)).toEqual(good);
  });

  it.each([
    [{ ...good, name: '' }, 'name'],
    [{ ...good, redirect_uris: ['https://acme.example', 'nowhere'] }, 'redirect_uris[1]'],
    [{ ...good, limits: { rpm: 1.5 } }, 'limits.rpm'],
    [{ ...good, colour: 'red' }, 'colour'],
    [{ ...good, limits: { rpm: 1, tpm: 2 } }, 'limits.tpm'],
    [{ ...good, target: { id: 7 } }, 'target.id'],
    [{ ...good, name: 'Ac\0me' }, 'name'],
    [{ ...good, target: { id: '\0' } }, 'target.id'],
    [{ redirect_uris: [] }, 'name'],
  ])('refuses %j by the path of the field at fault', (value, param) => {
    expect(() => validated(app, value)).toThrow(
      expect.objectContaining({ reason: 'invalidRequest', param, message: expect.stringContaining(param) }),
    );
  });

  it.each([[null], ['text'], [[]], [7]])(
    'refuses %j, which is no object at all, without a field',
    (value) => {
      expect(() => validated(app, value)).toThrow(
        expect.objectContaining({ reason: 'invalidRequest', param: undefined }),
      );
    },
  );

  it.each(['1e1', '0x10', ' 5', '5 ', '+5', '-1', '5.0', '', 'NaN'])(
    'takes no other number in a query than one in digits: %j',
    (limit) => {
      const query = z.strictObject({ limit: z.coerce.number().default(20), name: z.string().optional() });
      expect(() => {
        requireDigits(query, { limit });
      }).toThrow(expect.objectContaining({ reason: 'invalidRequest', param: 'limit' }));
      requireDigits(query, { limit: '10', name: '1e1' });
      requireDigits(query, {});
    },
  );

  it('counts the entries of every list before it reads them', () => {
    let readCount = 0;
    const entry = z.string().refine(() => ++readCount > 0);
    const schema = z.strictObject({ deep: z.strictObject({ scopes: z.array(entry).max(5) }) });
    expect(() => validated(schema, { deep: { scopes: Array.from({ length: 1_001 }, () => 'a') } })).toThrow(
      expect.objectContaining({ reason: 'invalidRequest', param: 'deep.scopes' }),
    );
    expect(readCount).toBe(0);
    expect(() => validated(schema, { deep: { scopes: Array.from({ length: 6 }, () => 'a') } })).toThrow(
      expect.objectContaining({ param: 'deep.scopes' }),
    );
  });

  it('refuses a body of more levels than any has', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(() => validated(z.strictObject({ a: z.unknown() }), { a: deep })).toThrow(
      expect.objectContaining({ reason: 'invalidRequest' }),
    );
  });

  it('never repeats a value back', () => {
    expect(() => validated(app, { ...good, name: 7, secret: 'svc_sk_do_not_print' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('svc_sk_do_not_print') }),
    );
  });
});
