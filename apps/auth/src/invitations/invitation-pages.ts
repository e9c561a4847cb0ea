import { type InvitationRecord } from '@svc/persistence';
import { html, type Html } from '@svc/platform';
import { messagePage } from '../pages/message-page';
import { type Page } from '../pages/page';
import { button, facts, heading, hiddenField, notice, textField } from '../pages/parts';
import { roleName } from '../pages/role-name';
import { CSRF_FIELD } from '../session/form-seal';
import { EMAIL_MAX } from '../session/login-pages';
import { PASSWORD_MAX, PASSWORD_MIN } from '../session/password';

/** How the invited one shows to be who was invited. */
export type AcceptBy = 'session' | 'password' | 'new_password';

export interface InvitationForm {
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
        ${hiddenField(CSRF_FIELD, csrfToken)} ${acceptBy === 'session' ? null : fixedEmail(email)}
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

const fixedEmail = (email: string): Html =>
  textField({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    value: email,
    maxLength: EMAIL_MAX,
    fixed: true,
  });

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
  new_password: (problem) =>
    html`${textField({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${String(PASSWORD_MIN)} characters. A few unrelated words make a good one.`,
      problem,
      minLength: PASSWORD_MIN,
      maxLength: PASSWORD_MAX,
    })}
    ${textField({
      name: 'repeated_password',
      label: 'The same password again',
      type: 'password',
      autocomplete: 'new-password',
      maxLength: PASSWORD_MAX,
    })}`,
};

/** The same words for a secret that never was, and for an invitation that is over. */
export const closedInvitationPage: Page = messagePage(
  'This invitation can’t be used',
  'The link is wrong or incomplete, or the invitation has run out, been withdrawn or been accepted. ' +
    'Ask whoever invited you for a new one.',
);
