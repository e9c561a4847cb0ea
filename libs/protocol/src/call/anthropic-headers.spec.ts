import fc from 'fast-check';
import {
  anthropicHeadersIn,
  betaNames,
  NO_ANTHROPIC_HEADERS,
  renderAnthropicHeaders,
} from './anthropic-headers';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1', '~', '!'), minLength: 1, maxLength: 100 });
const space = fc.constantFrom('', ' ', '\t', '  ');
const betasOf = (list: string) => anthropicHeadersIn({ 'anthropic-beta': list }).betas;
const refusalOf = (headers: Record<string, string>) => {
  try {
    anthropicHeadersIn(headers);
  } catch (error) {
    return error;
  }
  return null;
};
const refusedAt = (param: string) => expect.objectContaining({ reason: 'invalidRequest', param }) as Error;

describe('the betas of a call', () => {
  it('are the same however the list is written: each name once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(space, name, space), { maxLength: 32 }), (written) => {
        const expected = [...new Set(written.map(([, beta]) => beta))];
        const list = written.map((parts) => parts.join('')).join(',');
        expect(betasOf(list)).toEqual(expected);
        expect(betasOf(` ,, ${list},${list} ,`)).toEqual(expected);
        expect(betaNames(betaNames(list).join(','))).toEqual(expected);
      }),
    );
  });

  it('are sent as one list', () => {
    const headers = anthropicHeadersIn({ 'anthropic-version': '2099-01-01', 'anthropic-beta': 'b , a,b' });
    expect(renderAnthropicHeaders(headers)).toEqual([
      ['anthropic-version', '2099-01-01'],
      ['anthropic-beta', 'b,a'],
    ]);
    expect(renderAnthropicHeaders(anthropicHeadersIn({ 'anthropic-beta': ' , ' }))).toEqual([]);
  });

  it('are at most 32 names of 1 to 100 visible ASCII characters', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `beta-${String(at)}`).join(',');
    expect(betasOf(names(32))).toHaveLength(32);
    expect(betasOf('x'.repeat(100))).toHaveLength(1);
    for (const list of [names(33), 'x'.repeat(101), 'two words', 'é', 'a\u007f']) {
      expect(refusalOf({ 'anthropic-beta': list })).toEqual(refusedAt('anthropic-beta'));
    }
  });
});

describe('the version of a call', () => {
  it('is 1 to 64 visible ASCII characters', () => {
    expect(anthropicHeadersIn({ 'anthropic-version': 'v'.repeat(64) }).version).toHaveLength(64);
    for (const version of ['', 'v'.repeat(65), '2023-06-01, 2023-06-01', 'é']) {
      expect(refusalOf({ 'anthropic-version': version })).toEqual(refusedAt('anthropic-version'));
    }
  });
});

it('a call without the headers makes nothing', () => {
  expect(anthropicHeadersIn({ accept: '*/*' })).toBe(NO_ANTHROPIC_HEADERS);
});
