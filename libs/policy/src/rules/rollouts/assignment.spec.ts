import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { assignRollouts, takesPart } from './assignment';
import { type Rollout } from './rollout';

const SUBJECTS = Array.from({ length: 100_000 }, (_, at) => `eu_${String(at)}`);
const rollout = (more: Partial<Rollout> = {}): Rollout => ({
  name: 'small-at-acme',
  model: 'acme/small',
  to: { provider: 'acme' },
  shareBps: 500,
  by: 'end_user',
  ...more,
});
const partOf = (shareBps: number, name = 'small-at-acme') =>
  new Set(SUBJECTS.filter((subject) => takesPart({ name, shareBps }, subject)));

describe('who takes part in a rollout', () => {
  it('is 5 ± 0.3 % of 100,000 subjects at 500 basis points', () => {
    const part = partOf(500);
    expect(part.size).toBeGreaterThan(4_700);
    expect(part.size).toBeLessThan(5_300);
  });

  it('stays so in a larger share, and others join', () => {
    const [small, large] = [partOf(500), partOf(2_000)];
    expect([...small].filter((subject) => !large.has(subject))).toEqual([]);
    expect(large.size).toBeGreaterThan(3 * small.size);
  });

  it('is nobody at 0, and everybody at 10,000', () => {
    expect(partOf(0).size).toBe(0);
    expect(partOf(10_000).size).toBe(SUBJECTS.length);
  });

  it('are others under another name', () => {
    const [one, other] = [partOf(5_000), partOf(5_000, 'another')];
    const both = [...one].filter((subject) => other.has(subject)).length;
    expect(both / SUBJECTS.length).toBeCloseTo(0.25, 1);
  });

  it('is whose hash over name, zero byte and subject has its first 8 bytes below the share', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(10_000), (name, subject, shareBps) => {
        const bytes = createHash('sha256').update(`${name}\0${subject}`).digest('hex').slice(0, 16);
        expect(takesPart({ name, shareBps }, subject)).toBe(BigInt(`0x${bytes}`) % 10_000n < shareBps);
      }),
    );
  });
});

describe('a call', () => {
  const all = () => true;
  const subjects = { end_user: 'eu_1', session: null, api_key: 'key_1' };

  it('goes with the first rollout that takes it, and is compared for none', () => {
    const rollouts = [
      rollout({ name: 'none', shareBps: 0 }),
      rollout({ name: 'first', shareBps: 10_000 }),
      rollout({ name: 'second', shareBps: 10_000 }),
    ];
    expect(assignRollouts(rollouts, all, subjects)).toEqual({ taken: rollouts[1], compared: [] });
  });

  it('that none takes is compared for those of its model whose subject it has', () => {
    const rollouts = [
      rollout({ name: 'of a person', shareBps: 0 }),
      rollout({ name: 'of a session', by: 'session', shareBps: 10_000 }),
      rollout({ name: 'of a key', by: 'api_key', shareBps: 0 }),
      rollout({ name: 'of another model', model: 'acme/large', shareBps: 10_000 }),
    ];
    const isOf = ({ model }: Rollout) => model === 'acme/small';
    expect(assignRollouts(rollouts, isOf, subjects)).toEqual({
      taken: null,
      compared: [rollouts[0], rollouts[2]],
    });
  });
});
