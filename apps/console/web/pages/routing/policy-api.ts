import { type UseQueryResult } from '@tanstack/react-query';
import { type OrganizationApi } from '../../api/client';
import { type components } from '../../api/generated/management';
import { useReadOf, type ReadOptions } from '../../api/reads';
import { useApi } from '../../api/use-api';
import {
  policyOf,
  writtenOf,
  type Policy,
  type PolicyDocument,
  type PolicyLevel,
  type PolicyVersion,
} from '../../policies/policy';
import { useOrganization } from '../../session/organization';
import { type PolicyOwner } from './owner';

type Schemas = components['schemas'];
type Answer = Schemas['Policy'] | Schemas['ProjectPolicy'] | Schemas['KeyPolicy'];
type AnsweredVersion =
  Schemas['PolicyVersion'] | Schemas['ProjectPolicyVersion'] | Schemas['KeyPolicyVersion'];
interface Answers {
  readonly data: readonly AnsweredVersion[];
  readonly next_cursor: string | null;
}

interface Asked {
  readonly api: OrganizationApi;
  /** The owner's. */
  readonly id: string;
  readonly signal: AbortSignal;
}
interface Query {
  readonly limit: number;
  readonly cursor?: string | undefined;
}
interface Written {
  readonly api: OrganizationApi;
  readonly id: string;
  readonly document: PolicyDocument;
  /** The version that is replaced, and only that one. */
  readonly header: { readonly 'If-Match': string };
}

/** The routes of one level's policies. */
interface LevelRoutes {
  readonly current: (asked: Asked) => Promise<Answer>;
  readonly versions: (asked: Asked, query: Query) => Promise<Answers>;
  readonly version: (asked: Asked, policyId: string) => Promise<AnsweredVersion>;
  readonly write: (written: Written) => Promise<Answer>;
}

const routes: Readonly<Record<PolicyLevel, LevelRoutes>> = {
  organization: {
    current: ({ api, signal }) => api.get('/policy', { signal }),
    versions: ({ api, signal }, query) => api.get('/policy/versions', { params: { query }, signal }),
    version: ({ api, signal }, policy_id) =>
      api.get('/policy/versions/{policy_id}', { params: { path: { policy_id } }, signal }),
    write: ({ api, document, header }) =>
      api.put('/policy', { params: { header }, body: writtenOf('organization', document) }),
  },
  project: {
    current: ({ api, id: project_id, signal }) =>
      api.get('/projects/{project_id}/policy', { params: { path: { project_id } }, signal }),
    versions: ({ api, id: project_id, signal }, query) =>
      api.get('/projects/{project_id}/policy/versions', { params: { path: { project_id }, query }, signal }),
    version: ({ api, id: project_id, signal }, policy_id) =>
      api.get('/projects/{project_id}/policy/versions/{policy_id}', {
        params: { path: { project_id, policy_id } },
        signal,
      }),
    write: ({ api, id: project_id, document, header }) =>
      api.put('/projects/{project_id}/policy', {
        params: { path: { project_id }, header },
        body: writtenOf('project', document),
      }),
  },
  key: {
    current: ({ api, id: key_id, signal }) =>
      api.get('/keys/{key_id}/policy', { params: { path: { key_id } }, signal }),
    versions: ({ api, id: key_id, signal }, query) =>
      api.get('/keys/{key_id}/policy/versions', { params: { path: { key_id }, query }, signal }),
    version: ({ api, id: key_id, signal }, policy_id) =>
      api.get('/keys/{key_id}/policy/versions/{policy_id}', {
        params: { path: { key_id, policy_id } },
        signal,
      }),
    write: ({ api, id: key_id, document, header }) =>
      api.put('/keys/{key_id}/policy', {
        params: { path: { key_id }, header },
        body: writtenOf('key', document),
      }),
  },
};

/** Paths of policies in the cache: a write of one has all of them read again. */
const READS = '/policy';
/** Paths that a written policy changes: other pages show the policy of a key. */
export const changedByPolicy = [READS, '/keys/{key_id}/policy', '/catalog', '/audit-log'];

function usePolicyRead<Data>(
  owner: PolicyOwner,
  what: readonly unknown[],
  read: (asked: Asked) => Promise<Data>,
  options: ReadOptions<Data>,
): UseQueryResult<Data> {
  const api = useApi();
  const { id: organizationId } = useOrganization();
  const source = { owner: organizationId, path: READS, init: [owner.level, owner.id, ...what] };
  return useReadOf<Data>({ ...source, read: (signal) => read({ api, id: owner.id, signal }) }, options);
}

/** The owner's policy in force; version 0 where it was never written. */
export const usePolicy = (owner: PolicyOwner, options: ReadOptions<Policy> = {}): UseQueryResult<Policy> =>
  usePolicyRead(
    owner,
    ['current'],
    async (asked) => policyOf(owner.level, await routes[owner.level].current(asked)),
    options,
  );

export interface PageOfVersions {
  readonly data: readonly PolicyVersion[];
  readonly next_cursor: string | null;
}

/** The versions of the owner's policy, newest first. */
export const usePolicyVersions = (
  owner: PolicyOwner,
  query: Query,
  options: ReadOptions<PageOfVersions> = {},
): UseQueryResult<PageOfVersions> =>
  usePolicyRead(
    owner,
    ['versions', query],
    async (asked) => {
      const { data, next_cursor } = await routes[owner.level].versions(asked, query);
      return { data: data.map((version) => versionOf(owner, version)), next_cursor };
    },
    options,
  );

/** One version of the owner's policy. */
export const usePolicyVersion = (
  owner: PolicyOwner,
  policyId: string,
  options: ReadOptions<PolicyVersion> = {},
): UseQueryResult<PolicyVersion> =>
  usePolicyRead(
    owner,
    ['version', policyId],
    async (asked) => versionOf(owner, await routes[owner.level].version(asked, policyId)),
    options,
  );

/** Replaces one version of the owner's policy by the next. */
export const writePolicy = async (
  owner: PolicyOwner,
  { replaced, ...written }: Pick<Written, 'api' | 'document'> & { readonly replaced: number },
): Promise<Policy> => {
  const header = { 'If-Match': `"${String(replaced)}"` };
  return policyOf(owner.level, await routes[owner.level].write({ ...written, id: owner.id, header }));
};

const versionOf = ({ level }: PolicyOwner, answer: AnsweredVersion): PolicyVersion => ({
  ...policyOf(level, answer),
  id: answer.id,
  created_at: answer.created_at,
});
