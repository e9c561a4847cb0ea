import { type PathsWithMethod } from 'openapi-typescript-helpers';
import { type paths as AuthPaths } from './generated/auth';
import { type paths as ManagementPaths } from './generated/management';
import { transport } from './transport';
import { apiBelow, type Answer, type Api, type Init, type QueryOf } from './typed-client';

type Described = ManagementPaths & Omit<AuthPaths, keyof ManagementPaths>;

const ROOT = '/api/v1/organizations/';
/** Resources of an organization, by their path below the organization: `/keys/{key_id}`. */
type OrganizationPaths = {
  [
    P in keyof Described as P extends `/api/v1${infer Rest}`
      ? `${typeof ROOT}{organization_id}${Rest}` extends keyof Described
        ? Rest
        : never
      : never
  ]: Described[P];
} & {
  // Below an organization they have a shorter name.
  [
    P in keyof Described as P extends `/api/v1/webhook-endpoints${infer Rest}` ? `/webhooks${Rest}` : never
  ]: Described[P];
};

export type OrganizationApi = Api<OrganizationPaths>;
export type ReadPath = PathsWithMethod<OrganizationPaths, 'get'>;
export type ReadInit<P extends ReadPath> = Init<OrganizationPaths, P, 'get'>;
/** The parameters that a list of the organization is read with. */
export type ReadQuery<P extends ReadPath> = QueryOf<OrganizationPaths, P>;
export type ReadAnswer<P extends ReadPath> = Answer<OrganizationPaths, P, 'get'>;

const known = new Map<string, OrganizationApi>();

/** The API of one organization, named by the path of every call: `organizationApi(id).get('/keys')`. */
export function organizationApi(organizationId: string): OrganizationApi {
  const before = known.get(organizationId);
  if (before !== undefined) return before;
  const api = apiBelow<OrganizationPaths>(ROOT + encodeURIComponent(organizationId), transport);
  known.set(organizationId, api);
  return api;
}

/** Resources of no organization, by their whole path: the account and its sessions, the list of webhook events. */
export const accountApi: Api<Described> = apiBelow<Described>('', transport);
