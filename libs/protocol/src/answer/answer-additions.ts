import { type MemberEdit, type MemberEdits } from '../json/splice';

/** What the service adds to an answer, at the top level of the body or of one stream frame. */
export interface AnswerAdditions {
  /** The `svc` object (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
  readonly svc: unknown;
  /** `{ param, code, message }` each. Left out when there are none. */
  readonly warnings?: readonly unknown[];
}

/** The additions as edits of the object that carries them. */
export function additionEdits({ svc, warnings = [] }: AnswerAdditions): MemberEdits {
  const edit: MemberEdit = ['svc', JSON.stringify(svc)];
  return warnings.length === 0 ? [edit] : [edit, ['warnings', JSON.stringify(warnings)]];
}
