import { html } from '@svc/http';
import { messagePage } from '../pages/message-page';
import { type Page } from '../pages/page';
import { button, heading, hiddenField, link, notice } from '../pages/parts';
import { CSRF_FIELD } from '../session/form-seal';
import { LOGIN_PATH, PASSWORD_RESET_PATH } from '../session/login-pages';
import { emailField, newPasswordFields } from '../session/password-fields';

interface Form {
  readonly csrfToken: string;
  readonly problem: string | null;
}

const titleOf = (title: string, problem: string | null): string =>
  problem === null ? title : `Error: ${title}`;

export const forgottenPasswordPage = ({
  csrfToken,
  problem,
  email,
}: Form & { readonly email: string }): Page => ({
  title: titleOf('Forgotten password', problem),
  body: html`${heading('Forgotten password', 'You get a mail with a link, with which you set a new one.')}
    ${problem === null ? null : notice(problem)}
    <form method="post" action="${PASSWORD_RESET_PATH}">
      ${hiddenField(CSRF_FIELD, csrfToken)} ${emailField(email, { focused: true })} ${button('Send the mail')}
    </form>
    <p>${link(LOGIN_PATH, 'Back to the login')}</p>`,
});

interface NewPasswordForm extends Form {
  /** The page's own address. */
  readonly action: string;
  readonly email: string;
}

export const newPasswordPage = ({ action, email, csrfToken, problem }: NewPasswordForm): Page => ({
  title: titleOf('Set a new password', problem),
  body: html`${heading(
      'Set a new password',
      'A new password ends all your sessions. Apps that you have allowed to act for you stay allowed.',
    )}
    <form method="post" action="${action}">
      ${hiddenField(CSRF_FIELD, csrfToken)} ${emailField(email, { fixed: true })}
      ${newPasswordFields({ name: 'new_password', label: 'New password', problem })}
      ${button('Set the password')}
    </form>`,
});

/** The same whether or not the address has an account. */
export const mailUnderWayPage: Page = messagePage(
  'Look into your mailbox',
  'If the address is that of an account, a mail with a link is on its way. The link works for an hour, once. ' +
    'If nothing has come in a few minutes, look for it among the unwanted mail, or ask again.',
  null,
  link(LOGIN_PATH, 'Back to the login'),
);

export const noMailPage: Page = messagePage(
  'No mail is sent here',
  'This installation sends no mail. Its operator can give you a link with which you set a new password.',
  null,
  link(LOGIN_PATH, 'Back to the login'),
);

/** Worded alike for an unknown secret and for a link that has ended. */
export const closedResetPage: Page = messagePage(
  'This link cannot be used',
  'It is wrong or incomplete, it was used, an hour has passed, or a newer one has taken its place.',
  null,
  link(PASSWORD_RESET_PATH, 'Ask for a new one'),
);
