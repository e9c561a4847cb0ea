import { type JsonRecord } from '../json/byte-text';
import { type MemberEdit, type MemberEdits } from '../json/splice';

/** Fields that the service adds to an answer, at the top level of the body or of one stream frame. */
export interface AnswerAdditions {
  /** The `svc` object (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
  readonly svc: unknown;
  /** `{ param, code, message }` each. Left out when there are none. */
  readonly warnings?: readonly unknown[];
  /** `usage` of the caller's protocol, counted by the service. Absent where the provider reported its own. */
  readonly usage?: unknown;
}

/** `svc` and `warnings` as edits of the object that carries them. */
export function additionEdits({ svc, warnings = [] }: AnswerAdditions): MemberEdits {
  const edit: MemberEdit = ['svc', JSON.stringify(svc)];
  return warnings.length === 0 ? [edit] : [edit, ['warnings', JSON.stringify(warnings)]];
}

/** The same as members of an object that is yet to be written. */
export const additionMembers = ({ svc, warnings = [] }: AnswerAdditions): JsonRecord => ({
  svc,
  ...(warnings.length > 0 && { warnings }),
});

/** The edits with `usage`. */
export const editsWithUsage = (additions: AnswerAdditions): MemberEdits =>
  additions.usage === undefined
    ? additionEdits(additions)
    : [['usage', JSON.stringify(additions.usage)], ...additionEdits(additions)];
