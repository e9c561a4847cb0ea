import { type InvitationRecord } from '@svc/access/store';
import { html, type Html } from '@svc/http';
import { messagePage } from '../pages/message-page';
import { type Page } from '../pages/page';
import { button, facts, heading, hiddenField, notice, textField } from '../pages/parts';
import { roleName } from '../pages/role-name';
import { CSRF_FIELD } from '../session/form-seal';
import { emailField, newPasswordFields, repeatedPasswordField } from '../session/password-fields';
import { PASSWORD_MAX } from '../session/password';

/**
 * How the invitee proves to be the person invited. `first_password` is of a user who exists and has none. `unknown` does
 * not say whether the address has an account: the link was shown to whoever invited it, and any organization can invite any
 * address.
 */
export type AcceptBy = 'session' | 'password' | 'new_password' | 'first_password' | 'unknown';

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
  const showsAtPassword = acceptBy !== 'session' && acceptBy !== 'password';
  const title = `Join ${organizationName}`;
  const told: [string, string][] = [['Role', roleName(role)]];
  return {
    title: problem === null ? title : `Error: ${title}`,
    body: html`${heading(title, introductions[acceptBy])}
      ${problem === null || showsAtPassword ? null : notice(problem)}
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
  first_password: 'You have been invited to this organization. Choose a password for your account.',
  unknown:
    'You have been invited to this organization. Log in with the password of your account. If you have no account yet, ' +
    'choose a password, and enter it twice.',
};

const chosenPassword = (problem: string | null) =>
  newPasswordFields({ name: 'password', label: 'Password', problem });

const buttons: Readonly<Record<AcceptBy, string>> = {
  session: 'Join',
  password: 'Log in and join',
  new_password: 'Create account and join',
  first_password: 'Set password and join',
  unknown: 'Join',
};

const knownPassword = (problem: string | null = null) =>
  textField({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    problem,
    maxLength: PASSWORD_MAX,
  });

const passwordFields: Readonly<Record<AcceptBy, (problem: string | null) => Html | null>> = {
  session: () => null,
  password: () => knownPassword(),
  new_password: chosenPassword,
  first_password: chosenPassword,
  unknown: (problem) =>
    html`${knownPassword(problem)}
    ${repeatedPasswordField('The same password again, for a new account', { optional: true })}`,
};

/** For an account without a password, whose first one this link may not set. */
export const mailedLinkPage: Page = messagePage(
  'Open the link in your mail',
  'There is an account with this address, and no password was chosen for it yet. The link that was mailed to the address ' +
    'lets you choose one.',
);

/** Worded alike for an unknown secret and for an invitation that has ended. */
export const closedInvitationPage: Page = messagePage(
  'This invitation cannot be used',
  'The link is wrong or incomplete, or the invitation has run out, been withdrawn or been accepted. ' +
    'Ask whoever invited you for a new one.',
);
