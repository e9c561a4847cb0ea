import { Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validated } from '@svc/api';
import { clientIdIn, consentedScopes, readAuthorizationRequest, redirectWith } from '@svc/access';
import { OauthAppStore, type OauthAppRecord, type SessionMembership } from '@svc/access/store';
import {
  consentPage,
  DECISION_FIELD,
  ORGANIZATION_FIELD,
  SCOPE_FIELD,
  type SentConsent,
} from '../consent/consent-page';
import { checkConsentSeal, consentSeal } from '../consent/consent-seal';
import { Consents, type Asked } from '../consent/consents';
import { AnswerErrors } from '../pages/answer-errors';
import { sendPage, sendSeeOther } from '../pages/page';
import { BASE_URL } from '../runtime';
import { refuseForeignOrigin } from '../session/browser-origin';
import { ConsoleSessions, type LiveSession } from '../session/console-sessions';
import { CSRF_FIELD } from '../session/form-seal';
import { LOGIN_PATH } from '../session/login-pages';
import { endedPage, refusedPage } from './refused-page';

const AUTHORIZE_PATH = '/auth/oauth/authorize';

const consentForm = z.strictObject({
  [CSRF_FIELD]: z.string(),
  [ORGANIZATION_FIELD]: z.string().optional(),
  [SCOPE_FIELD]: z.union([z.string(), z.array(z.string())]).default([]),
  [DECISION_FIELD]: z.enum(['allow', 'deny']),
});

/** A valid request of an active app, and the member who is asked for consent. */
interface Opened {
  readonly query: URLSearchParams;
  readonly app: OauthAppRecord;
  readonly asked: Asked;
  readonly session: LiveSession;
  /** Those that the member can act in. */
  readonly organizations: readonly SessionMembership[];
}

/** Where an app sends a member for consent (docs/reference/oauth.md#authorization). */
@Controller(AUTHORIZE_PATH)
@UseFilters(AnswerErrors)
export class AuthorizeController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly apps: OauthAppStore,
    private readonly consents: Consents,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Get()
  async show(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const opened = await this.open(call, reply);
    if (opened === null) return;
    const code = await this.codeWithoutAsking(opened);
    if (code !== null) sendBack(reply, opened.asked, { code });
    else ask(reply, opened, null, null);
  }

  @Post()
  async decide(@Req() call: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseForeignOrigin(call, this.baseUrl);
    const opened = await this.open(call, reply);
    if (opened === null) return;
    const form = validated(consentForm, call.body);
    checkConsentSeal(opened.session.secret, opened.query, form[CSRF_FIELD]);
    if (form.decision === 'deny') {
      sendBack(reply, opened.asked, { error: 'access_denied' });
      return;
    }
    const sent = { organizationId: form.organization_id ?? null, ticked: [form.scope].flat() };
    await this.allow(call, reply, opened, sent);
  }

  private async allow(
    call: FastifyRequest,
    reply: FastifyReply,
    opened: Opened,
    sent: SentConsent,
  ): Promise<void> {
    const { app, asked, session, organizations } = opened;
    const consented = consentedScopes(asked.scopes, sent.ticked);
    const organization = organizations.find(({ organizationId }) => organizationId === sent.organizationId);
    if (organization === undefined) {
      ask(reply, opened, sent, 'Choose the organization to act in.');
    } else if (consented.length === 0) {
      ask(reply, opened, sent, 'Choose at least one thing to allow, or deny.');
    } else {
      const { userId } = session;
      const { organizationId } = organization;
      const consenting = { app, asked, userId, organizationId, consented, requestId: call.id };
      const code = await this.consents.consent(consenting);
      if (code === null) sendPage(reply, 400, endedPage(call.id));
      else sendBack(reply, asked, { code });
    }
  }

  /** Returns null where it has sent the answer: the request is invalid, or nobody is logged in. */
  private async open(call: FastifyRequest, reply: FastifyReply): Promise<Opened | null> {
    const query = queryOf(call);
    const clientId = clientIdIn(query);
    const app = clientId === null ? null : await this.apps.findByClientId(clientId);
    const asked = readAuthorizationRequest(query, app);
    if (asked.kind === 'refuse-page' || app === null) {
      const reason = asked.kind === 'refuse-page' ? asked.reason : 'unknownClient';
      sendPage(reply, 400, refusedPage(reason, call.id));
      return null;
    }
    // Before any redirect to the app: this page must not be an open redirector (RFC 9700 section 4.11.2).
    const session = await this.sessions.read(call);
    if (session === null) {
      sendSeeOther(reply, `${LOGIN_PATH}?${new URLSearchParams({ return_to: pathOf(query) }).toString()}`);
      return null;
    }
    if (asked.kind === 'refuse-redirect') {
      const { error, description } = asked;
      sendBack(reply, asked, { error, error_description: description });
      return null;
    }
    const organizations = session.memberships.filter((each) => each.organizationState === 'active');
    return { query, app, asked, session, organizations };
  }

  private async codeWithoutAsking(opened: Opened): Promise<string | null> {
    const { query, app, asked, session, organizations } = opened;
    if (isPrompted(query)) return null;
    const ids = organizations.map(({ organizationId }) => organizationId);
    const grant = await this.consents.standing(app, asked, session.userId, ids);
    return grant && this.consents.renew(grant.id, asked);
  }
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const from = url.indexOf('?');
  return new URLSearchParams(from < 0 ? '' : url.slice(from + 1));
}

const pathOf = (query: URLSearchParams): string => `${AUTHORIZE_PATH}?${query.toString()}`;

/** OpenID Connect's parameter: an app whose user connects a second organization must be able to ask again. */
const isPrompted = (query: URLSearchParams): boolean =>
  query.getAll('prompt').some((prompt) => prompt.split(' ').includes('consent'));

function ask(reply: FastifyReply, opened: Opened, sent: SentConsent | null, problem: string | null): void {
  const { query, app, asked, session, organizations } = opened;
  const page = consentPage({
    app,
    scopes: asked.scopes,
    organizations,
    email: session.email,
    redirectUri: asked.redirectUri,
    action: pathOf(query),
    csrfToken: consentSeal(session.secret, query),
    sent,
    problem,
  });
  sendPage(reply, problem === null ? 200 : 400, page);
}

function sendBack(
  reply: FastifyReply,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  parameters: Readonly<Record<string, string>>,
): void {
  sendSeeOther(reply, redirectWith(redirectUri, { ...parameters, state }));
}
