import { eventually } from './eventually';

describe('eventually', () => {
  it('returns the assertion’s result once it holds', async () => {
    let tries = 0;
    const passing = eventually(() => {
      if (++tries < 3) throw new Error('not yet');
      return 'held';
    });
    expect(await passing).toBe('held');
    expect(tries).toBe(3);
  });

  it('throws the last failure after the time-out', async () => {
    let tries = 0;
    const failing = eventually(() => Promise.reject(new Error(`try ${String(++tries)}`)), 30);
    await expect(failing).rejects.toThrow(/^try \d+$/);
    expect(tries).toBeGreaterThan(1);
  });
});
