import { scopeTable, type Scope } from '@svc/access';
import { type OauthAppRecord, type SessionMembership } from '@svc/access/store';
import { html, type Html } from '@svc/http';
import { type Page } from '../pages/page';
import { button, choices, facts, hiddenField, notice } from '../pages/parts';
import { CSRF_FIELD } from '../session/form-seal';

interface ConsentForm {
  readonly app: OauthAppRecord;
  readonly scopes: readonly Scope[];
  /** Those that the member can act in. */
  readonly organizations: readonly SessionMembership[];
  readonly email: string;
  /** Where the app receives the code. */
  readonly redirectUri: string;
  /** The page's own address. */
  readonly action: string;
  readonly csrfToken: string;
  /** The form as it was sent before; null at first. */
  readonly sent: SentConsent | null;
  readonly problem: string | null;
}

export interface SentConsent {
  readonly organizationId: string | null;
  readonly ticked: readonly string[];
}

export const ORGANIZATION_FIELD = 'organization_id';
export const SCOPE_FIELD = 'scope';
export const DECISION_FIELD = 'decision';

export function consentPage(form: ConsentForm): Page {
  const { app, organizations, problem } = form;
  const isMember = organizations.length > 0;
  const title = `Allow ${app.name} to act for you?`;
  return {
    title: problem === null ? title : `Error: ${title}`,
    body: html`${introduction(app)} ${problem === null ? null : notice(problem)} ${facts(told(form))}
      <form method="post" action="${form.action}">
        ${hiddenField(CSRF_FIELD, form.csrfToken)} ${isMember ? question(form) : noOrganization}
        <div class="actions">
          ${button('Deny', { quiet: true, name: DECISION_FIELD, value: 'deny' })}
          ${isMember ? button('Allow', { name: DECISION_FIELD, value: 'allow' }) : null}
        </div>
      </form>`,
  };
}

/** Apps choose their own names: `bdi` keeps a name from reordering the text around it (Unicode TR 9). */
const introduction = ({ name, homepage }: OauthAppRecord): Html =>
  html`<div class="heading">
    <h1>Allow <bdi>${name}</bdi> to act for you?</h1>
    ${homepage === null ? null : html`<p>${homepageLink(homepage)}</p>`}
  </div>`;

const homepageLink = (homepage: string): Html =>
  html`<a href="${homepage}" rel="noopener noreferrer nofollow">${new URL(homepage).host}</a>`;

const question = ({ scopes, organizations, sent }: ConsentForm): Html =>
  html`${organizations.length > 1 ? organizationChoice(organizations, sent) : onlyOrganization(organizations)}
  ${choices(
    'It would be able to',
    'checkbox',
    SCOPE_FIELD,
    scopes.map((scope) => ({
      value: scope,
      label: sentenceCase(scopeTable[scope].description),
      about: scope,
      chosen: sent === null || sent.ticked.includes(scope),
    })),
  )}`;

const organizationChoice = (organizations: readonly SessionMembership[], sent: SentConsent | null): Html =>
  choices(
    'In which organization?',
    'radio',
    ORGANIZATION_FIELD,
    organizations.map(({ organizationId, organizationName }) => ({
      value: organizationId,
      label: organizationName,
      chosen: sent?.organizationId === organizationId,
    })),
  );

const onlyOrganization = (organizations: readonly SessionMembership[]): Html =>
  html`${organizations.map(({ organizationId }) => hiddenField(ORGANIZATION_FIELD, organizationId))}`;

const noOrganization = html`<p>
  You are not a member of any organization at the moment, so there is nothing that it could be allowed.
</p>`;

function told({ organizations, email, redirectUri }: ConsentForm): [string, string][] {
  const [only, ...others] = organizations;
  return [
    ...(only !== undefined && others.length === 0
      ? [['Organization', only.organizationName] satisfies [string, string]]
      : []),
    ['Your account', email],
    ['You return to', new URL(redirectUri).host],
  ];
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
