import fc from 'fast-check';

import {
  circuitAfterFailure,
  circuitAfterSuccess,
  CLOSED_CIRCUIT,
  isCircuitOpen,
  passCircuit,
  type CircuitState,
} from './circuit';

function failing(times: number, nowMs: number): CircuitState {
  let state = CLOSED_CIRCUIT;
  for (let call = 0; call < times; call++) state = circuitAfterFailure(state, nowMs);
  return state;
}

describe('a circuit', () => {
  it('opens at the fifth failure in a row, for 30 s', () => {
    expect(isCircuitOpen(failing(4, 0), 0)).toBe(false);
    expect(isCircuitOpen(failing(5, 0), 0)).toBe(true);
    expect(isCircuitOpen(failing(5, 0), 29_999)).toBe(true);
    expect(isCircuitOpen(failing(5, 0), 30_000)).toBe(false);
  });

  it('passes every call while closed and none while open', () => {
    expect(passCircuit(failing(4, 0), 0)).toEqual({ passed: true, state: failing(4, 0) });
    expect(passCircuit(failing(5, 0), 29_999)).toEqual({ passed: false, state: failing(5, 0) });
  });

  it('passes one probe after 30 s, and the next only after 30 more seconds without an outcome', () => {
    const probe = passCircuit(failing(5, 0), 30_000);
    expect(probe.passed).toBe(true);
    expect(passCircuit(probe.state, 59_999).passed).toBe(false);
    expect(passCircuit(probe.state, 60_000).passed).toBe(true);
  });

  it('closes when the probe succeeds and stays open when it fails', () => {
    const { state } = passCircuit(failing(5, 0), 30_000);
    expect(circuitAfterSuccess()).toEqual(CLOSED_CIRCUIT);
    const failedAgain = circuitAfterFailure(state, 31_000);
    expect(isCircuitOpen(failedAgain, 60_999)).toBe(true);
    expect(isCircuitOpen(failedAgain, 61_000)).toBe(false);
  });

  it('is open since it opened, through probes that fail, until a success', () => {
    const opened = failing(5, 1_000);
    const probed = passCircuit(opened, 31_000).state;
    const failedAgain = circuitAfterFailure(probed, 31_500);
    expect([failing(4, 1_000), opened, probed, failedAgain, circuitAfterSuccess()]).toMatchObject(
      [null, 1_000, 1_000, 1_000, null].map((openSinceMs) => ({ openSinceMs })),
    );
  });

  it('is open only if the last five counted outcomes were failures', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (outcomes) => {
        const state = outcomes.reduce<CircuitState>(
          (before, succeeded) => (succeeded ? circuitAfterSuccess() : circuitAfterFailure(before, 0)),
          CLOSED_CIRCUIT,
        );
        const lastFive = outcomes.slice(-5);
        expect(isCircuitOpen(state, 0)).toBe(lastFive.length === 5 && !lastFive.includes(true));
      }),
    );
  });
});
