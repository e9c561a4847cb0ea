import { judgeCircuits, type EndpointCircuit } from './judge-circuits';
import { circuitAt, twoProviders } from './testing/two-providers';

const T0 = new Date('2026-11-23T12:00:00Z');
const T1 = new Date('2026-11-23T12:01:00Z');

const judged = (circuits: readonly EndpointCircuit[], withCredential: readonly string[] = []) =>
  judgeCircuits(twoProviders, circuits, ({ name }) => withCredential.includes(name)).map(
    ({ name, severity, openSince }) => [name, severity, openSince],
  );

describe('a model is open', () => {
  it('since the last of its endpoints is', () => {
    expect(judged([circuitAt('m/both|acme', T0), circuitAt('m/both|beta', T1)])).toEqual([
      ['acme', 'major', T0],
      ['beta', 'major', T1],
      ['m/both', 'major', T1],
    ]);
  });

  it('not while one of its endpoints is closed or unknown', () => {
    const unknown = { ...circuitAt('m/both|beta', null), state: 'unknown' as const };
    for (const other of [circuitAt('m/both|beta', null), unknown]) {
      expect(judged([circuitAt('m/both|acme', T0), other]).map(([name]) => name)).toEqual(['acme']);
    }
  });

  it('regardless of a provider that there is no credential of', () => {
    const circuits = [circuitAt('m/both|acme', T0)];
    expect(judged(circuits).map(([name]) => name)).toEqual(['acme', 'm/both']);
    expect(judged(circuits, ['beta']).map(([name]) => name)).toEqual(['acme']);
  });
});

describe('a provider is open', () => {
  it('when all of its endpoints that were called are', () => {
    const unknown = { ...circuitAt('m/acme|acme', null), state: 'unknown' as const };
    expect(judged([circuitAt('m/both|acme', T0), unknown, circuitAt('m/beta|beta', null)])).toEqual([
      ['acme', 'minor', T0],
    ]);
    expect(judged([circuitAt('m/both|acme', T0), circuitAt('m/acme|acme', null)], ['beta'])).toEqual([]);
  });

  it('not when nobody called it', () => {
    expect(judged([{ ...circuitAt('m/acme|acme', null), state: 'unknown' }])).toEqual([]);
    expect(judged([])).toEqual([]);
  });

  it('as minor while each of its called models has another endpoint, else as major', () => {
    const both = circuitAt('m/both|acme', T0);
    expect(judged([both], ['beta'])).toEqual([['acme', 'minor', T0]]);
    expect(judged([both, circuitAt('m/acme|acme', T0)], ['beta'])).toEqual([
      ['acme', 'major', T0],
      ['m/acme', 'major', T0],
    ]);
  });
});
