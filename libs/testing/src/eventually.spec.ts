import { eventually } from './eventually';

describe('eventually', () => {
  it('returns what the assertion returns once it holds', async () => {
    let tries = 0;
    const passing = eventually(() => {
      if (++tries < 3) throw new Error('not yet');
      return 'held';
    });
    expect(await passing).toBe('held');
    expect(tries).toBe(3);
  });

  it('throws the last failure when the time is over', async () => {
    let tries = 0;
    const failing = eventually(() => Promise.reject(new Error(`try ${String(++tries)}`)), 30);
    await expect(failing).rejects.toThrow(/^try \d+$/);
    expect(tries).toBeGreaterThan(1);
  });
});
