import { type components } from '../../api/generated/management';
import { every } from '../../browser/every';
import { type Permission } from '../../session/session';

export type Export = components['schemas']['Export'];
export type NewExport = components['schemas']['NewExport'];
export type Kind = Export['kind'];
export type State = Export['state'];

export const exportKinds = every<Kind>()(
  'requests',
  'usage',
  'wallet_transactions',
  'audit_log',
  'webhook_deliveries',
);

/** Permissions that each kind needs beside that for exports (docs/reference/exports.md#kinds). */
export const permissionOf: Readonly<Record<Kind, Permission>> = {
  requests: 'usage:read',
  usage: 'usage:read',
  wallet_transactions: 'wallet:read',
  audit_log: 'audit:read',
  webhook_deliveries: 'webhook:write',
};

/** Whether something is still to come of it. */
export const isUnderWay = ({ state }: Pick<Export, 'state'>): boolean =>
  state === 'queued' || state === 'running';
