import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@svc/kernel';

/**
 * SHA-256 of a target's audited fields. A request is bound to it: what the approvers saw is what happens, or nothing.
 * @returns null for a target that the change makes.
 */
export const targetDigest = (fields: Readonly<Record<string, JsonValue>> | null): Buffer | null =>
  fields === null ? null : createHash('sha256').update(canonicalJson(fields)).digest();
