import { type DatabaseHeartbeat } from '@svc/ledger/store';

/** Proves that the database accepts writes: only then does a lapsed lease mean that its edge is dead. */
export async function beatHeartbeat(heartbeat: DatabaseHeartbeat): Promise<{ readonly more: boolean }> {
  await heartbeat.beat();
  return { more: false };
}
