import { logIn, PASSWORD } from '../harness/new-organization';
import { type AnySvc } from '../harness/svc-process';
import { callApi, type ApiAnswer } from '../oauth/oauth-app';

/** An organization for one test, so that tests do not affect each other. */
export interface Tenant {
  readonly organizationId: string;
  /** The owner's key, with every permission that the specs need. */
  readonly apiKey: string;
}

export interface InferenceKey {
  readonly id: string;
  readonly secret: string;
}

const PERMISSIONS = [
  'inference:invoke',
  'key:create',
  'key:read',
  'key:revoke',
  'budget:read',
  'budget:write',
  'wallet:read',
  'usage:read',
  'webhook:write',
  'org:read',
  'policy:read',
  'policy:write',
  'credential:write',
  'catalog:read',
  'project:read',
  'project:write',
  'fine_tuning:read',
  'fine_tuning:write',
];
/** More than any spec calls in a minute. */
const CEILINGS = { rate_limit_rpm: 1_000_000, rate_limit_tpm: 1_000_000_000 };

let tenantCount = 0;

/** Creates an organization as the operator, and its first key as its owner. */
export async function newTenant(svc: AnySvc, creditNanos: bigint, ceilings = CEILINGS): Promise<Tenant> {
  const email = `owner-${String(++tenantCount)}@tenants.example`;
  const operator = (method: string, path: string, body: object) =>
    callApi(svc.baseUrl, method, `/platform/v1/organizations${path}`, svc.platformToken ?? '', body);
  const { id } = of(
    201,
    await operator('POST', '', { name: email, owner_email: email, owner_password: PASSWORD }),
  );
  of(200, await operator('PATCH', `/${id}`, ceilings));
  if (creditNanos > 0n) {
    const grant = { amount_nanos: Number(creditNanos), reason: 'to be spent' };
    of(201, await operator('POST', `/${id}/credit-grants`, grant));
  }
  return { organizationId: id, apiKey: await firstKey(svc, email) };
}

export async function newKey(svc: AnySvc, tenant: Tenant, limits: object = {}): Promise<InferenceKey> {
  const made = of(
    201,
    await callApi(svc.baseUrl, 'POST', '/api/v1/keys', tenant.apiKey, {
      name: 'calls',
      scopes: ['inference:invoke'],
      rate_limit_rpm: 1_000_000,
      rate_limit_tpm: 1_000_000_000,
      ...limits,
    }),
  );
  return { id: made.api_key.id, secret: made.key };
}

/** Creates one budget of each kind, too large for any spec: the organization's day, the key's month, and each session. */
export async function newBudgets(svc: AnySvc, tenant: Tenant, key: InferenceKey): Promise<void> {
  const organization = { scope: 'organization', scope_id: tenant.organizationId };
  const budgets = [
    { ...organization, period: 'day', action: 'block' },
    { scope: 'api_key', scope_id: key.id, period: 'month', action: 'block' },
    { ...organization, period: 'session', action: 'warn' },
  ];
  for (const budget of budgets) {
    const body = { name: budget.period, amount_nanos: Number.MAX_SAFE_INTEGER, ...budget };
    of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/budgets', tenant.apiKey, body));
  }
}

/** @returns the body. @throws Error with an answer of another status. */
export function of(status: number, answer: ApiAnswer): ApiAnswer['body'] {
  if (answer.status === status) return answer.body;
  throw new Error(`Expected ${String(status)}, not ${String(answer.status)}: ${JSON.stringify(answer.body)}`);
}

async function firstKey({ baseUrl }: AnySvc, email: string): Promise<string> {
  const session = await logIn(baseUrl, email);
  const made = await fetch(`${baseUrl}/api/v1/keys`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'owner',
      scopes: PERMISSIONS,
      rate_limit_rpm: 1_000_000,
      rate_limit_tpm: 1_000_000_000,
    }),
  });
  return of(201, { status: made.status, body: await made.json() }).key as string;
}
