import { createHash, randomBytes } from 'node:crypto';
import {
  apiKeyHash,
  csrfTokenFor,
  formatSecret,
  scopes as allScopes,
  secretHash,
  visiblePrefix,
  type Permission,
  type Role,
} from '@svc/access';
import { GrantStore, SessionStore } from '@svc/access/store';
import { UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { FakeClock, type Json } from '@svc/testing';
import { startAuth, type AuthUnderTest } from './auth-under-test';
import { passGuesses } from './pass-guesses';
import { ProbeController } from './probe.controller';
import { hiddenFields, Visitor, type Shown } from './visitor';

export const ISSUER = 'http://svc.example';
export const CALLBACK = 'https://app.example/callback?of=app';
const DAY_MS = 86_400_000;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface TestMember {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string;
  /** A browser with this member's session. */
  readonly browser: Visitor;
}

export interface TestApp {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string | null;
}

export interface TestTokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

type Fields = Readonly<Record<string, string>>;

export const VERIFIER = 'verifier-of-the-specs-0123456789-abcdefghijk';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** The authorization server over a fresh database, with members, apps and what apps do. */
export class OauthUnderTest {
  private constructor(
    private readonly auth: AuthUnderTest,
    private readonly store: TestDatabase,
    readonly clock: FakeClock,
    readonly logged: readonly string[],
  ) {}

  /** @param given a database of the spec's own making, which is closed with this. */
  static async start(given?: TestDatabase): Promise<OauthUnderTest> {
    const store = given ?? (await openTestDatabase());
    const clock = new FakeClock();
    const logged: string[] = [];
    const { database } = store;
    const auth = await startAuth({
      database,
      clock,
      logged,
      baseUrl: ISSUER,
      otherControllers: [ProbeController],
    });
    return new OauthUnderTest(auth, store, clock, logged);
  }

  async close(): Promise<void> {
    await this.auth.close();
    await this.store.close();
  }

  get url(): string {
    return this.auth.url;
  }

  get prisma() {
    return this.store.database.prisma;
  }

  passGuesses(ms: number): Promise<void> {
    return passGuesses(this.store.database, ms);
  }

  async newOrganization(name = 'Acme'): Promise<string> {
    const id = systemIds('organization');
    await this.prisma.organization.create({ data: { id, name } });
    return id;
  }

  async newMember(role: Role = 'owner', organizationId?: string): Promise<TestMember> {
    const organization = organizationId ?? (await this.newOrganization());
    const userId = systemIds('user');
    const email = `${userId}@example.com`;
    await this.prisma.user.create({ data: { id: userId, email } });
    await this.join(userId, organization, role);
    return { userId, email, organizationId: organization, browser: await this.logIn(userId) };
  }

  async join(userId: string, organizationId: string, role: Role = 'owner'): Promise<void> {
    await this.prisma.member.create({ data: { id: systemIds('member'), organizationId, userId, role } });
  }

  async newKey(organizationId: string, permissions: readonly Permission[]): Promise<string> {
    const secret = formatSecret('apiKey', randomBytes(32));
    await this.prisma.apiKey.create({
      data: {
        id: systemIds('apiKey'),
        organizationId,
        name: 'Of a spec',
        prefix: visiblePrefix(secret),
        secretSha256: Uint8Array.from(apiKeyHash(secret)),
        scopes: [...permissions],
      },
    });
    return secret;
  }

  /** Revokes grants as the removal of a member does. */
  async revokeGrantsOf({ organizationId, userId }: TestMember): Promise<void> {
    const { database } = this.store;
    await new UnitOfWork(database).transaction((tx) =>
      new GrantStore(database).revokeOfMember(tx, organizationId, userId, new Date(this.clock.now())),
    );
  }

  /** A browser with a session of the user. */
  async logIn(userId: string): Promise<Visitor> {
    const secret = formatSecret('session', randomBytes(32));
    const nowMs = this.clock.now();
    const session = { sha256: secretHash(secret), userId, nowMs, expiresAtMs: nowMs + 60 * DAY_MS };
    await new SessionStore(this.store.database).createSession(session);
    const browser = new Visitor(this.url);
    browser.cookies.set('svc_session', secret);
    return browser;
  }

  async newApp(
    appType: 'public' | 'confidential' = 'confidential',
    registered: {
      redirectUris?: string[];
      scopes?: readonly string[];
      name?: string;
      homepage?: string;
    } = {},
  ): Promise<TestApp> {
    const { redirectUris = [CALLBACK], scopes = allScopes, name = 'Charts', homepage } = registered;
    const secret = appType === 'public' ? null : formatSecret('clientSecret', randomBytes(32));
    const id = systemIds('oauthApp');
    const clientId = formatSecret('clientId', randomBytes(32));
    await this.prisma.oauthApp.create({
      data: {
        id,
        organizationId: await this.newOrganization('Whoever wrote the app'),
        name,
        appType,
        clientId,
        clientSecretSha256: secret === null ? null : Uint8Array.from(secretHash(secret)),
        redirectUris,
        scopes: [...scopes],
        homepage: homepage ?? 'https://app.example',
      },
    });
    return { id, clientId, secret };
  }

  /** The address that an app sends its user to. A null leaves a parameter out. */
  authorizePath(app: TestApp, changes: Readonly<Record<string, string | null>> = {}): string {
    const parameters = {
      client_id: app.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email usage:read',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'state-1',
      ...changes,
    };
    const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== null);
    return `/auth/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** Opens the consent page and sends its form. */
  async decide(
    browser: Visitor,
    path: string,
    form: { decision?: string; scopes?: readonly string[]; organizationId?: string } = {},
  ): Promise<Shown> {
    const { text } = await browser.get(path);
    return this.sendConsent(browser, path, text, form);
  }

  /** Sends the form of a consent page, by default with all offered scopes. */
  sendConsent(
    browser: Visitor,
    path: string,
    page: string,
    {
      decision = 'allow',
      scopes,
      organizationId,
    }: { decision?: string; scopes?: readonly string[]; organizationId?: string } = {},
  ): Promise<Shown> {
    const offered = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
    const fields = {
      ...hiddenFields(page),
      decision,
      ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    };
    const body = new URLSearchParams(fields);
    for (const scope of scopes ?? offered) body.append('scope', scope);
    return browser.send(path, { method: 'POST', headers: { accept: 'text/html' }, body });
  }

  /** A code that a member's browser delivered to the app. */
  async newCode(app: TestApp, member: TestMember, changes: Readonly<Record<string, string | null>> = {}) {
    const path = this.authorizePath(app, changes);
    let shown = await member.browser.get(path);
    if (shown.location === null) shown = await this.sendConsent(member.browser, path, shown.text);
    const code = new URL(shown.location ?? '').searchParams.get('code');
    if (code === null) throw new Error(`No code in ${String(shown.location)}: ${shown.text}`);
    return code;
  }

  exchange(app: TestApp, code: string, changes: Readonly<Record<string, string | null>> = {}) {
    return this.token(app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      ...changes,
    });
  }

  refresh(app: TestApp, refreshToken: string, changes: Readonly<Record<string, string | null>> = {}) {
    return this.token(app, { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });
  }

  /** Calls the token route; the app authenticates in the body. */
  token(app: TestApp, fields: Readonly<Record<string, string | null>>): Promise<Answered> {
    const all = { client_id: app.clientId, client_secret: app.secret, ...fields };
    const given = Object.entries(all).filter((each): each is [string, string] => each[1] !== null);
    return this.post('/api/v1/oauth/token', new URLSearchParams(given));
  }

  async tokensFor(
    app: TestApp,
    member: TestMember,
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<TestTokens> {
    return tokensIn(await this.exchange(app, await this.newCode(app, member, changes)));
  }

  /** A management call with an access token. */
  probe(accessToken: string, route = 'usage', headers: Fields = {}): Promise<Answered> {
    return this.call('POST', `/api/v1/probe/${route}`, {
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
    });
  }

  /** The outcome of a call with a token: `ok`, or the status and the error's code. */
  async endOf(accessToken: string, route = 'usage'): Promise<string> {
    const { status, body } = await this.probe(accessToken, route);
    return status === 200 ? 'ok' : `${String(status)} ${String(body.error.code)}`;
  }

  post(path: string, body: string | URLSearchParams, headers: Fields = {}): Promise<Answered> {
    return this.call('POST', path, { body, headers });
  }

  get(path: string, headers: Fields = {}): Promise<Answered> {
    return this.call('GET', path, { headers });
  }

  async call(method: string, path: string, init: RequestInit): Promise<Answered> {
    const answer = await fetch(this.url + path, { method, ...init });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }
}

export function tokensIn({ status, body }: Answered): TestTokens {
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return { access: body.access_token, refresh: body.refresh_token, scope: body.scope };
}

/** A refusal as the token route answers it. */
export const refusedWith = (code: string, status = 400) => ({ status, body: { error: { code } } });

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** The headers of a call by a browser's session. */
export function sessionHeaders(browser: Visitor): Fields {
  const secret = browser.cookies.get('svc_session') ?? '';
  return { cookie: `svc_session=${secret}`, 'x-csrf-token': csrfTokenFor(secret) };
}
