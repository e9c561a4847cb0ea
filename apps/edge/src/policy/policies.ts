import { type Change } from '@svc/database';
import { GatewayError } from '@svc/kernel';
import { DEFAULT_PRICES, type OrganizationPrices, pricesInForce } from '@svc/ledger';
import {
  compilePolicy,
  DEFAULT_POLICY,
  DEFAULT_POLICY_DOCUMENT,
  type DocumentOf,
  type LowerPolicyLevel,
  type Policy,
  type PolicyDocument,
  type PolicyLevel,
  policyOf,
  readDocumentOf,
  runningAmong,
  type RunningRollout,
} from '@svc/policy';
import { lruCache } from '@svc/runtime';
import { type CallPolicy, type PolicyOwner } from '@svc/policy/store';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;
/** Projects and keys of organizations that narrow their policy. */
const OWNERS_MAX = 100_000;
const COMPILED_MAX = 20_000;

/** Whose policies a call stands under. */
export interface PolicyCaller {
  readonly organizationId: string;
  /** The project that the call is booked on; null without one. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
}

interface StoredPolicies {
  forCalls(organizationId: string): Promise<CallPolicy>;
  lower(owner: PolicyOwner): Promise<{ readonly version: number; readonly document: unknown } | null>;
}

/** The policy of a call at this moment. */
export interface CurrentPolicy {
  readonly policy: Policy;
  /** Of the organization's. 0 for the default. */
  readonly policyVersion: number;
  /** Of the policies of the project and the key. Undefined where there is none. */
  readonly projectPolicyVersion: number | undefined;
  readonly keyPolicyVersion: number | undefined;
  /** Those that run, in the order in which they take calls. */
  readonly rollouts: readonly RunningRollout[];
  readonly prices: OrganizationPrices;
}

interface OrganizationPolicy extends CurrentPolicy {
  readonly document: PolicyDocument;
  readonly isNarrowed: boolean;
}

interface LowerPolicy<Level extends LowerPolicyLevel = LowerPolicyLevel> {
  readonly version: number;
  readonly document: DocumentOf[Level];
}

/** The cached policies of calls, with what they cost. Each three versions of organization, project and key are compiled once. */
export class Policies {
  private readonly organizations = new LookupCache<OrganizationPolicy>(ORGANIZATIONS_MAX);
  private readonly projects = new LookupCache<LowerPolicy<'project'> | null>(OWNERS_MAX);
  private readonly keys = new LookupCache<LowerPolicy<'key'> | null>(OWNERS_MAX);
  /** By ids, versions and prices: a version never changes. */
  private readonly compiled = lruCache<string, CurrentPolicy>(COMPILED_MAX);

  /** @param defaultPrices of the platform */
  constructor(
    private readonly stored: StoredPolicies,
    private readonly defaultPrices: OrganizationPrices = DEFAULT_PRICES,
  ) {}

  /**
   * Where neither project nor key has a policy, it is the organization's own object.
   * @throws GatewayError `internal` for a policy that cannot be read: a call that it might forbid must not be sent.
   */
  of(caller: PolicyCaller): CurrentPolicy | Promise<CurrentPolicy> {
    const own = this.organizations.get(caller.organizationId, async () =>
      readOrganization(await this.stored.forCalls(caller.organizationId), this.defaultPrices),
    );
    if (own instanceof Promise)
      return own.then((found) => (found.isNarrowed ? this.narrowed(found, caller) : found));
    return own.isNarrowed ? this.narrowed(own, caller) : own;
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') {
      for (const cache of [this.organizations, this.projects, this.keys]) cache.invalidateAll();
    } else if (change.of === 'policy' || change.of === 'prices' || change.of === 'organization') {
      this.organizations.invalidate(change.organizationId);
    } else if (change.of === 'lowerPolicy') {
      // The first policy of a project or a key changes whether the organization's is narrowed.
      this.organizations.invalidate(change.organizationId);
      (change.level === 'project' ? this.projects : this.keys).invalidate(cacheKey(change));
    }
  }

  private narrowed(own: OrganizationPolicy, caller: PolicyCaller): CurrentPolicy | Promise<CurrentPolicy> {
    const { organizationId, projectId, apiKeyId } = caller;
    const project =
      projectId === null ? null : this.lower(this.projects, organizationId, 'project', projectId);
    const key = this.lower(this.keys, organizationId, 'key', apiKeyId);
    if (!(project instanceof Promise) && !(key instanceof Promise))
      return this.compile(own, project, key, caller);
    return Promise.all([project, key]).then(([ofProject, ofKey]) =>
      this.compile(own, ofProject, ofKey, caller),
    );
  }

  private lower<Level extends LowerPolicyLevel>(
    cache: LookupCache<LowerPolicy<Level> | null>,
    organizationId: string,
    level: Level,
    ownerId: string,
  ) {
    const owner = { organizationId, level, ownerId };
    return cache.get(cacheKey(owner), async () => {
      const found = await this.stored.lower(owner);
      return found && { version: found.version, document: read(level, found.document) };
    });
  }

  private compile(
    own: OrganizationPolicy,
    project: LowerPolicy<'project'> | null,
    key: LowerPolicy<'key'> | null,
    { organizationId, projectId, apiKeyId }: PolicyCaller,
  ): CurrentPolicy {
    if (project === null && key === null) return own;
    const ofProject = project === null ? '' : `${String(projectId)}:${String(project.version)}`;
    const ofKey = key === null ? '' : `${apiKeyId}:${String(key.version)}`;
    const { priceBps, ownCredentialBps } = own.prices;
    const ofPrices = `${String(priceBps)}/${String(ownCredentialBps)}`;
    const triple = `${organizationId}:${String(own.policyVersion)} ${ofProject} ${ofKey} ${ofPrices}`;
    const known = this.compiled.get(triple);
    // Rollouts end without a version.
    if (known?.rollouts === own.rollouts) return known;
    const documents = {
      organization: own.document,
      project: project && project.document,
      key: key && key.document,
    };
    const compiled: CurrentPolicy = {
      policy: known?.policy ?? compilePolicy(own.policy, documents),
      policyVersion: own.policyVersion,
      projectPolicyVersion: project?.version,
      keyPolicyVersion: key?.version,
      rollouts: own.rollouts,
      prices: own.prices,
    };
    this.compiled.set(triple, compiled);
    return compiled;
  }
}

const cacheKey = ({ organizationId, ownerId }: PolicyOwner): string => `${organizationId}/${ownerId}`;

function readOrganization(
  { version, document, isNarrowed, rollouts, ...setPrices }: CallPolicy,
  defaultPrices: OrganizationPrices,
): OrganizationPolicy {
  const own = document === null ? DEFAULT_POLICY_DOCUMENT : read('organization', document);
  const policy = own === DEFAULT_POLICY_DOCUMENT ? DEFAULT_POLICY : policyOf(own);
  return {
    policy,
    policyVersion: version,
    projectPolicyVersion: undefined,
    keyPolicyVersion: undefined,
    rollouts: runningAmong(policy.rollouts, rollouts),
    prices: pricesInForce(setPrices, defaultPrices),
    document: own,
    isNarrowed,
  };
}

const owners: Readonly<Record<PolicyLevel, string>> = {
  organization: 'your organization',
  project: 'this project',
  key: 'this API key',
};

function read<Level extends PolicyLevel>(level: Level, document: unknown): DocumentOf[Level] {
  try {
    return readDocumentOf(level, document);
  } catch (cause) {
    throw new GatewayError('internal', `The policy of ${owners[level]} cannot be applied.`, { cause });
  }
}
