import { type MemberEdits } from '../json/splice';

/** What the service adds to an answer: at the top level of its body, or of one frame of its stream. */
export interface AnswerAdditions {
  /** The `svc` object of interface.md, Inference response additions. */
  readonly svc: unknown;
  /** `{ param, code, message }` each; left out when there are none (contract.md section 11). */
  readonly warnings?: readonly unknown[];
}

/** The additions as edits of the object that carries them. */
export function additionEdits({ svc, warnings = [] }: AnswerAdditions): MemberEdits {
  const edits = new Map([['svc', JSON.stringify(svc)]]);
  if (warnings.length > 0) edits.set('warnings', JSON.stringify(warnings));
  return edits;
}
