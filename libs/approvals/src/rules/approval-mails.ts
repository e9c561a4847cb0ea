import { CONSOLE } from '@svc/kernel';

/** The facts in a mail about a request. */
interface MailedRequest {
  readonly id: string;
  readonly action: string;
  readonly requestedBy: string;
  readonly reason: string | null;
  readonly expiresAt: Date;
}

/** `text` has {@link CONSOLE} in its links, which the sender completes. */
interface ApprovalMail {
  readonly subject: string;
  readonly text: string;
}

/** To the people who may decide. */
export const requestMail = ({ id, action, requestedBy, reason, expiresAt }: MailedRequest): ApprovalMail => ({
  subject: `Approval needed: ${action}`,
  text: letter([
    `A change is waiting for your approval: ${action}.`,
    [
      `Approval request: ${id}`,
      `Requested by: ${named(requestedBy)}`,
      ...(reason === null ? [] : [`Reason: ${named(reason)}`]),
      `Expires at: ${expiresAt.toUTCString()}`,
    ].join('\n'),
    `To see what it would change, and to approve or reject it, open ${CONSOLE}approvals/${id}`,
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
    `The operator disabled the approval policy "${named(policy.name)}". Changes no longer wait for it.`,
    [`Policy id: ${policy.id}`, `Reason: ${named(policy.reason)}`].join('\n'),
    `The change is in the audit log: ${CONSOLE}audit`,
  ]),
});

/** Names and reasons must not be read as links. */
const named = (text: string): string => text.replaceAll(CONSOLE, '');

const letter = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
