import { withCallHeaders } from './with-call-headers';

const VERSION = ['anthropic-version', '2023-06-01'] as const;
const merged = (
  headers: readonly (readonly [string, string])[],
  fixed: readonly string[],
  callHeaders: readonly (readonly [string, string])[],
) => Object.fromEntries(withCallHeaders({ headers, fixedHeaders: new Set(fixed) }, callHeaders));

describe('the headers of one call', () => {
  it('take the place of the protocol’s own', () => {
    expect(merged([VERSION], [], [['anthropic-version', '2099-01-01']])).toEqual({
      'anthropic-version': '2099-01-01',
    });
    expect(merged([VERSION], [], [['anthropic-beta', 'a,b']])).toEqual({
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
    });
  });

  it('do not take the place of what the catalog sets', () => {
    const fixed = ['anthropic-version'];
    expect(merged([VERSION], fixed, [['anthropic-version', '2099-01-01']])).toEqual(
      Object.fromEntries([VERSION]),
    );
  });

  it('join their betas to those that the catalog sets, each once', () => {
    const betas = ['anthropic-beta', 'a, b'] as const;
    expect(merged([betas], ['anthropic-beta'], [['anthropic-beta', 'b,c']])).toEqual({
      'anthropic-beta': 'a,b,c',
    });
  });

  it('change nothing where there are none', () => {
    const headers = [VERSION];
    expect(withCallHeaders({ headers, fixedHeaders: new Set() }, [])).toBe(headers);
  });
});
