import { type components } from '../../api/generated/management';

export type AuditEntry = components['schemas']['AuditEntry'];

/** The changed fields that say something: a value before or after. A secret shows neither. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export const changesOf = ({ changes }: Pick<AuditEntry, 'changes'>): readonly Change[] =>
  Object.entries(changes).map(([field, change]) => ({
    field,
    from: change.from ?? null,
    to: change.to ?? null,
  }));
