import { type AuditLog, prismaOf, type Transaction } from '@svc/database';
import { type GatewayError } from '@svc/kernel';
import { stateAfter } from '../rules/request-states';
import { type ExecutionError } from './approval-request-record';
import { auditMove } from './end-request';

/**
 * Ends an approved request whose call was refused.
 * @param fence of the claim that was refused. Under a later claim nothing changes.
 * @returns the seconds since its approval; null where nothing changed.
 */
export async function failRequest(
  tx: Transaction,
  auditLog: AuditLog,
  request: { readonly id: string; readonly organizationId: string },
  { definition, code, message, param }: GatewayError,
  fence: bigint,
): Promise<number | null> {
  const state = stateAfter('approved', 'fail');
  if (state === null) throw new Error('An approved request can fail');
  const error: ExecutionError = { status: definition.status, code, message, param: param ?? null };
  const [row] = await prismaOf(tx).$queryRaw<{ seconds: number }[]>`
    UPDATE approval_requests SET state = ${state}, error = ${JSON.stringify(error)}::jsonb, ended_at = clock_timestamp(),
      updated_at = now(), due_at = NULL, lease_until = NULL, call_ciphertext = NULL
    WHERE id = ${request.id} AND state = 'approved' AND fence = ${fence}
    RETURNING extract(epoch FROM clock_timestamp() - decided_at)::float8 AS seconds`;
  if (row === undefined) return null;
  await auditMove(auditLog, tx, { ...request, state: 'approved' }, 'execute', state);
  return row.seconds;
}
