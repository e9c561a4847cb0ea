/** What a mail about a request says. */
interface MailedRequest {
  readonly id: string;
  readonly action: string;
  readonly requestedBy: string;
  readonly reason: string | null;
  readonly expiresAt: Date;
}

interface ApprovalMail {
  readonly subject: string;
  readonly text: string;
}

/** To the people who may decide. */
export const requestMail = ({ id, action, requestedBy, reason, expiresAt }: MailedRequest): ApprovalMail => ({
  subject: `Approval needed: ${action}`,
  text: letter([
    `A change waits for your approval: ${action}.`,
    [
      `Request: ${id}`,
      `Asked by: ${requestedBy}`,
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      `Expires: ${expiresAt.toISOString()}`,
    ].join('\n'),
    'Read what it would change before you decide. You can approve or reject it in the console.',
  ]),
});

/** To the owners, when the operator disables a policy. */
export const disabledPolicyMail = (policy: {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}): ApprovalMail => ({
  subject: `Approval policy disabled by the operator: ${policy.name}`,
  text: letter([
    `The operator of the platform disabled the approval policy "${policy.name}". Changes no longer wait for it.`,
    [`Policy: ${policy.id}`, `Reason: ${policy.reason}`].join('\n'),
    'The audit log of your organization has an entry about it.',
  ]),
});

const letter = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
