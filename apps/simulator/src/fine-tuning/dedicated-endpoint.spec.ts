import { DedicatedEndpoint } from './dedicated-endpoint';

const MINUTE_MS = 60_000;

describe('DedicatedEndpoint', () => {
  const started = (inactiveTimeout: number | null) => {
    const endpoint = new DedicatedEndpoint(
      {
        id: 'endpoint-1',
        name: 'n',
        displayName: 'd',
        model: 'm',
        hardware: 'h',
        createdAtMs: 0,
        directive: { start_ms: 1_000, stop_ms: 500 },
      },
      inactiveTimeout,
    );
    endpoint.start(0);
    return endpoint;
  };

  it('stops by itself so many minutes after its last call', () => {
    const endpoint = started(2);
    expect(endpoint.state(999)).toBe('PENDING');
    expect(endpoint.call(MINUTE_MS)).toBe(true);
    expect(endpoint.state(3 * MINUTE_MS - 1)).toBe('STARTED');
    expect(endpoint.present(5 * MINUTE_MS)).toMatchObject({
      state: 'STOPPED',
      started_at: new Date(1_000).toISOString(),
      stopped_at: new Date(3 * MINUTE_MS).toISOString(),
    });
    expect(endpoint.call(5 * MINUTE_MS)).toBe(false);
  });

  it.each([null, 0])('runs on without calls when its time-out is %p', (timeout) => {
    expect(started(timeout).state(1_000 * MINUTE_MS)).toBe('STARTED');
  });

  it('starts again, with the times of the new run', () => {
    const endpoint = started(null);
    endpoint.stop(5_000);
    expect(endpoint.present(6_000)).toMatchObject({
      state: 'STOPPED',
      stopped_at: new Date(5_500).toISOString(),
    });
    endpoint.start(10_000);
    expect(endpoint.present(11_000)).toMatchObject({
      state: 'STARTED',
      started_at: new Date(11_000).toISOString(),
      stopped_at: null,
    });
  });

  it('has served nothing when it is stopped before it has started', () => {
    const endpoint = started(null);
    endpoint.stop(500);
    expect(endpoint.present(2_000)).toMatchObject({ state: 'STOPPED', started_at: null, stopped_at: null });
  });
});
