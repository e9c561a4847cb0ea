import { type Role } from '@svc/access';
import { eventually, type Json } from '@svc/testing';
import {
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from './management-under-test';

type Member = Client & { readonly userId: string; readonly memberId: string };

/** An organization with three people who may approve, beside its silent owner, and one who may not. */
export interface GatedOrganization {
  readonly organization: Organization;
  readonly ada: Member;
  readonly bob: Member;
  readonly eve: Member;
  readonly dev: Member;
}

export async function newGatedOrganization(management: ManagementUnderTest): Promise<GatedOrganization> {
  const organization = await management.newOrganization();
  const member = (role: Role) => management.withSession(organization, role);
  return {
    organization,
    ada: await member('security_admin'),
    bob: await member('security_admin'),
    eve: await member('finance'),
    dev: await member('developer'),
  };
}

/** Makes a policy while nothing gates it. @returns its id. */
export async function addPolicy(client: Client, settings: object): Promise<string> {
  const { status, body } = await client.post('/api/v1/approval-policies', {
    name: 'Two pairs of eyes',
    approvers: { roles: ['security_admin'] },
    ...settings,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id as string;
}

/** The id of the request that a gated call waits in. */
export function waitingIn({ status, body, headers }: Answered): string {
  expect([status, body]).toMatchObject([400, { error: { code: 'approval_required', retriable: false } }]);
  const id = body.error.approval_request_id as string;
  expect(headers.get('location')).toBe(`/api/v1/approval-requests/${id}`);
  return id;
}

export const requestAt = (id: string): string => `/api/v1/approval-requests/${id}`;

export const approve = (client: Client, id: string): Promise<Answered> =>
  client.post(`${requestAt(id)}/approve`, {});

/** The request, once it has ended. */
export async function ended(client: Client, id: string): Promise<Json> {
  let request: Json;
  await eventually(async () => {
    request = (await client.get(requestAt(id))).body;
    expect(request.state).not.toBe('approved');
  });
  return request;
}
