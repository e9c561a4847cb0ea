import { createHash } from 'node:crypto';
import { canonicalJson } from '@svc/kernel';
import { type AuditedChange } from './gating-policies';

/**
 * SHA-256 of the audited fields of all targets of a call. A request is bound to it: what the approvers saw is what
 * happens, or nothing.
 * @returns null where the call makes all of its targets.
 */
export function targetDigest(changes: readonly AuditedChange[]): Buffer | null {
  const targets = changes.flatMap(({ targetId, before }) => (before === null ? [] : [{ targetId, before }]));
  return targets.length === 0 ? null : createHash('sha256').update(canonicalJson(targets)).digest();
}
