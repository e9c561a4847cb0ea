import { type InvitationRecord } from '@svc/persistence';
import { html, type Html } from '@svc/platform';
import { messagePage } from '../pages/message-page';
import { type Page } from '../pages/page';
import { button, facts, heading, hiddenField, notice, textField } from '../pages/parts';
import { roleName } from '../pages/role-name';
import { CSRF_FIELD } from '../session/form-seal';
import { emailField, newPasswordFields } from '../session/password-fields';
import { PASSWORD_MAX } from '../session/password';

/** How the invitee proves to be the person invited. */
export type AcceptBy = 'session' | 'password' | 'new_password';

interface InvitationForm {
  readonly invitation: InvitationRecord;
  /** The page's own address. */
  readonly action: string;
  readonly acceptBy: AcceptBy;
  readonly csrfToken: string;
  readonly problem: string | null;
}

export function invitationPage({ invitation, action, acceptBy, csrfToken, problem }: InvitationForm): Page {
  const { organizationName, role, email } = invitation;
  const title = `Join ${organizationName}`;
  const told: [string, string][] = [['Role', roleName(role)]];
  return {
    title: problem === null ? title : `Error: ${title}`,
    body: html`${heading(title, introductions[acceptBy])}
      ${problem === null || acceptBy === 'new_password' ? null : notice(problem)}
      ${facts(acceptBy === 'session' ? [...told, ['Your account', email]] : told)}
      <form method="post" action="${action}">
        ${hiddenField(CSRF_FIELD, csrfToken)}
        ${acceptBy === 'session' ? null : emailField(email, { fixed: true })}
        ${passwordFields[acceptBy](problem)} ${button(buttons[acceptBy])}
      </form>`,
  };
}

const introductions: Readonly<Record<AcceptBy, string>> = {
  session: 'You have been invited to this organization.',
  password: 'You have been invited to this organization. Log in to accept.',
  new_password: 'You have been invited to this organization. Choose a password for your new account.',
};

const buttons: Readonly<Record<AcceptBy, string>> = {
  session: 'Join',
  password: 'Log in and join',
  new_password: 'Create account and join',
};

const passwordFields: Readonly<Record<AcceptBy, (problem: string | null) => Html | null>> = {
  session: () => null,
  password: () =>
    textField({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      maxLength: PASSWORD_MAX,
    }),
  new_password: (problem) => newPasswordFields({ name: 'password', label: 'Password', problem }),
};

/** Worded alike for an unknown secret and for an invitation that has ended. */
export const closedInvitationPage: Page = messagePage(
  'This invitation cannot be used',
  'The link is wrong or incomplete, or the invitation has run out, been withdrawn or been accepted. ' +
    'Ask whoever invited you for a new one.',
);
