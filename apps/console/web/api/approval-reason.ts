/** The header by which a change tells those who approve it why it is wanted (docs/reference/approvals.md). */
export const APPROVAL_REASON_HEADER = 'Svc-Approval-Reason';

let reason = '';

/** The reason in the open form. Every write that is sent meanwhile has it; the API keeps it where the write waits. */
export const approvalReason = {
  set: (typed: string): void => {
    reason = typed.trim();
  },
  /** A header is bytes, which `Headers` takes as the letters of Latin-1: here those of the text's UTF-8. */
  header: (): string | null =>
    reason === '' ? null : String.fromCharCode(...new TextEncoder().encode(reason)),
};
