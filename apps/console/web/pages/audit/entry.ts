import { type components } from '../../api/generated/management';

export type AuditEntry = components['schemas']['AuditEntry'];

/** A changed field. A secret has neither value. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The changed fields that say something: not those that a new thing leaves empty. */
export const changesOf = ({ changes }: Pick<AuditEntry, 'changes'>): readonly Change[] =>
  Object.entries(changes)
    .filter(([, change]) => isSecret(change) || (change.from ?? change.to ?? null) !== null)
    .map(([field, { from = null, to = null }]) => ({ field, from, to }));

const isSecret = (change: object): boolean => Object.keys(change).length === 0;
