import { type Json } from '@svc/testing';
import { type AnySvc, type ReadyLine } from './svc';

/** Of every owner that specs appoint. */
export const PASSWORD = 'correct horse battery staple';
/** The credit of the first start. */
const CREDIT_NANOS = 100_000_000_000n;

let organizations = 0;

/**
 * Makes an organization like the one of a first start: with an owner, a project, a key and credit.
 * @param svc its key has all scopes that a key can have.
 */
export async function newOrganization(
  { baseUrl, apiKey: otherKey, platformToken }: Pick<AnySvc, 'baseUrl' | 'apiKey' | 'platformToken'>,
  creditNanos = CREDIT_NANOS,
): Promise<Omit<ReadyLine, 'base_url' | 'platform_token'>> {
  const email = `owner-${String(process.pid)}-${String(Date.now())}-${String(++organizations)}@example.com`;
  const operator = caller(baseUrl, { authorization: `Bearer ${platformToken ?? ''}` });
  const created = await operator('POST', '/platform/v1/organizations', {
    name: 'Default organization',
    owner_email: email,
    owner_password: PASSWORD,
  });
  const organizationId = created.id as string;
  if (creditNanos > 0n) {
    const grant = { amount_nanos: Number(creditNanos), reason: 'Welcome credit' };
    await operator('POST', `/platform/v1/organizations/${organizationId}/credit-grants`, grant);
  }
  const { data: keys } = await caller(baseUrl, { authorization: `Bearer ${otherKey}` })(
    'GET',
    '/api/v1/keys',
  );
  const owner = caller(baseUrl, await logIn(baseUrl, email));
  const project = await owner('POST', '/api/v1/projects', { name: 'Default project' });
  const [{ scopes }] = keys as [{ scopes: string[] }];
  const key = await owner('POST', '/api/v1/keys', { name: 'Bootstrap key', scopes });
  return {
    api_key: key.key as string,
    organization_id: organizationId,
    project_id: project.id as string,
    owner_email: email,
    owner_password: PASSWORD,
  };
}

/** @returns the headers of the owner's session. */
export async function logIn(baseUrl: string, email: string): Promise<Record<string, string>> {
  const login = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!login.ok) throw new Error(`Logging in failed: ${await login.text()}`);
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const session = await caller(baseUrl, { cookie })('GET', '/auth/session');
  return { cookie, 'x-csrf-token': session.csrf_token as string };
}

/** Calls that must succeed. */
const caller =
  (baseUrl: string, headers: Record<string, string>) =>
  async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
    return JSON.parse(text) as Json;
  };
