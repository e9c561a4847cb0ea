import fc from 'fast-check';
import {
  flag,
  idOf,
  instant,
  oneOf,
  parseSearch,
  readAddress,
  several,
  stringifySearch,
  text,
  whole,
} from './address';

const schema = {
  status: several(oneOf('ok', 'failed')),
  project: idOf('project'),
  after: instant,
  least: whole(1, 100),
  stream: flag,
  q: text,
};
const read = (search: string) => readAddress(schema, parseSearch(search));

describe('the address of a page', () => {
  it('is read by its schema', () => {
    const { values, dropped } = read(
      '?status=ok,failed&least=7&stream=true&after=2026-11-22T10:00:00Z&q=a%20b',
    );
    expect(values).toEqual({
      status: ['ok', 'failed'],
      least: 7,
      stream: true,
      after: '2026-11-22T10:00:00Z',
      q: 'a b',
    });
    expect(dropped).toEqual([]);
  });

  it('loses what does not parse, which is named', () => {
    const { values, dropped } = read(
      '?status=ok,strange&least=0&project=proj_1&colour=red&q=1&q=2&stream=false',
    );
    expect(values).toEqual({ stream: false });
    expect(dropped).toEqual(['status', 'least', 'project', 'colour', 'q']);
  });

  it.each([
    ['a line break', 'q=a%0Ab'],
    ['a character of direction', 'q=a%E2%80%AEb'],
    ['nothing but a space', 'q=%20'],
    ['a day that there is not', 'after=2026-02-30T00:00:00Z'],
    ['more values than 50', `status=${Array.from({ length: 51 }, () => 'ok').join()}`],
  ])('loses %s, which the API would refuse', (_, search) => {
    expect(read(`?${search}`)).toEqual({ values: {}, dropped: [search.split('=')[0]] });
  });

  it('is written as it is read', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 50 }).filter((q) => q.trim() !== ''),
        fc.integer({ min: 1, max: 100 }),
        (q, least) => {
          expect(read(stringifySearch({ q, least, status: ['ok', 'failed'] })).values).toEqual({
            q,
            least,
            status: ['ok', 'failed'],
          });
        },
      ),
    );
  });

  it('of a hostile name harms nothing', () => {
    expect(read('?__proto__=1&constructor=2&toString=3').dropped).toHaveLength(3);
  });
});
