import { type EndpointRecord } from '../store/endpoint-record';
import { PER_SECOND, type EndpointWorld } from './endpoint-world';

/** The cost of a run. Seconds of real time pass beside those of the spec: more on a busy machine. */
export async function charged(
  world: EndpointWorld,
  endpoint: EndpointRecord,
): Promise<{ readonly seconds: number; readonly nanos: bigint }> {
  const { run } = await world.now(endpoint);
  if (run === null) throw new Error('The endpoint has not run.');
  return { seconds: run.runningSeconds, nanos: run.charged };
}

/**
 * Each second is paid once, none is paid that was not served, and nothing stays held.
 * @param unmetered seconds that nobody held.
 */
export async function expectFairEnd(
  world: EndpointWorld,
  endpoint: EndpointRecord,
  unmetered = 0,
): Promise<void> {
  const { seconds, nanos } = await charged(world, endpoint);
  const slices = await world.slices();
  const used = slices.reduce((sum, { usedSeconds }) => sum + (usedSeconds ?? 0), 0);
  expect(used).toBe(seconds - unmetered);
  expect(nanos).toBe(BigInt(used) * PER_SECOND);
  for (const { heldNanos, chargedNanos } of slices) expect(chargedNanos).toBeLessThanOrEqual(heldNanos);
  expect(await world.wallet()).toEqual({ spent: nanos, held: 0n });
  const transfers = await world.test.database.prisma.ledgerTransfer.findMany({
    where: { kind: { not: 'credit_grant' } },
  });
  expect(new Set(transfers.map(({ kind }) => kind))).toEqual(
    new Set(nanos > 0n ? ['fine_tuning_endpoint'] : []),
  );
  expect(transfers.reduce((sum, { amountNanos }) => sum + amountNanos, 0n)).toBe(nanos);
  expect(world.provider.machines.size).toBe(0);
}
