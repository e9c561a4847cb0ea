import { type MemberEdit, type MemberEdits } from '../json/splice';

/** What the service adds to an answer: at the top level of its body, or of one frame of its stream. */
export interface AnswerAdditions {
  /** The `svc` object of interface.md, Inference response additions. */
  readonly svc: unknown;
  /** `{ param, code, message }` each; left out when there are none (contract.md section 11). */
  readonly warnings?: readonly unknown[];
}

/** The additions as edits of the object that carries them. */
export function additionEdits({ svc, warnings = [] }: AnswerAdditions): MemberEdits {
  const edit: MemberEdit = ['svc', JSON.stringify(svc)];
  return warnings.length === 0 ? [edit] : [edit, ['warnings', JSON.stringify(warnings)]];
}
