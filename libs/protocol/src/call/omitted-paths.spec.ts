import { omissions, withoutPaths } from './omitted-paths';

describe('a body without some paths', () => {
  it('lacks fields and members of fields, and fields of which nothing is left', () => {
    const body = { a: 1, b: { c: 1, d: 2 }, e: { f: 1 } };
    expect(withoutPaths(body, ['a', 'b.c', 'e.f'])).toEqual({ b: { d: 2 } });
    expect(omissions(body, ['a', 'b.c', 'e.f'])).toEqual([
      ['a', null],
      ['b', '{"d":2}'],
      ['e', null],
    ]);
  });

  it('keeps a field that it does not know whole, unless the field itself is left out', () => {
    expect(omissions({}, ['b.c', 'a'])).toEqual([['a', null]]);
    expect(withoutPaths({ b: 'text' }, ['b.c'])).toEqual({});
  });
});
