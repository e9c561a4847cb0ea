/** A change of something that services cache, and its organization. */
export type Change =
  | {
      readonly of:
        | 'organization'
        | 'usageTag'
        | 'prices'
        | 'policy'
        | 'providerCredentials'
        | 'otlpIntegration'
        | 'tunedModels';
      readonly organizationId: string;
    }
  | { readonly of: 'project'; readonly organizationId: string; readonly projectId: string }
  /** The policy of a project or a key. */
  | {
      readonly of: 'lowerPolicy';
      readonly organizationId: string;
      readonly level: 'project' | 'key';
      readonly ownerId: string;
    }
  | CredentialHealthChange
  /** `keySha256` in base64. For a replaced hash, both the old and the new one are reported. */
  | { readonly of: 'apiKey'; readonly organizationId: string; readonly keySha256: string }
  /** Changes may have been missed. */
  | { readonly of: 'anything' };

/** An edge began or ended the rest of a provider credential. It told so itself: no row of the credential changed. */
export interface CredentialHealthChange {
  readonly of: 'credentialHealth';
  readonly edgeInstanceId: string;
  /** The id of an organization's own; `env:<provider>/<variable>` of the platform's. */
  readonly credential: string;
  readonly healthEpoch: number;
  /** Null: everywhere. */
  readonly endpointId: string | null;
  /** Null: it ended. */
  readonly rest: 'rate_limit' | 'forbidden' | 'refused' | null;
  /** Null: until a trial succeeds. */
  readonly restsForMs: number | null;
  readonly trialInMs: number | null;
}

export const ANYTHING: Change = { of: 'anything' };

/** Tables and columns of which a change tells nothing but its organization. */
const wholes = {
  organizations: 'organization',
  'organizations.usage_tag': 'usageTag',
  'organizations.prices': 'prices',
  policy_versions: 'policy',
  provider_credentials: 'providerCredentials',
  integrations: 'otlpIntegration',
  fine_tuned_models: 'tunedModels',
  fine_tuning_endpoint_runs: 'tunedModels',
} as const;

/** A written row or column, as the trigger `tell_change` reports it; or the health of a credential, as an edge does. */
type Told = Readonly<Partial<Record<string, unknown>>>;

/** An unknown payload, perhaps of a newer version, counts as a change of anything. */
export const changeIn = (payload: string | undefined): Change => changeOf(toldIn(payload)) ?? ANYTHING;

function changeOf(told: Told): Change | null {
  const { table, organization_id: organizationId, project_id: projectId, key_sha256: keySha256 } = told;
  if (table === 'credential_reports') return healthChangeOf(told);
  if (!isText(table) || !isText(organizationId)) return null;
  if (Object.hasOwn(wholes, table)) return { of: wholes[table as keyof typeof wholes], organizationId };
  if (table === 'projects' && isText(projectId)) return { of: 'project', organizationId, projectId };
  if (table === 'api_keys' && isText(keySha256)) return { of: 'apiKey', organizationId, keySha256 };
  return table === 'lower_policy_versions' ? lowerPolicyChangeOf(told, organizationId) : null;
}

function lowerPolicyChangeOf({ level, owner_id: ownerId }: Told, organizationId: string): Change | null {
  if (!isText(ownerId) || (level !== 'project' && level !== 'key')) return null;
  return { of: 'lowerPolicy', organizationId, level, ownerId };
}

const RESTS = ['rate_limit', 'forbidden', 'refused', null] as const;

function healthChangeOf(told: Told): CredentialHealthChange | null {
  const { edge_instance_id: edgeInstanceId, credential, endpoint_id: endpointId } = told;
  const { health_epoch: healthEpoch, rests_for_ms: restsForMs, trial_in_ms: trialInMs } = told;
  const rest = RESTS.find((one) => one === told['rest']);
  if (!isText(edgeInstanceId) || !isText(credential) || !isText(endpointId) || rest === undefined)
    return null;
  if (typeof healthEpoch !== 'number' || !Number.isSafeInteger(healthEpoch)) return null;
  if (!isNumberOrNull(restsForMs) || !isNumberOrNull(trialInMs)) return null;
  return {
    of: 'credentialHealth',
    edgeInstanceId,
    credential,
    healthEpoch,
    endpointId: endpointId === '' ? null : endpointId,
    rest,
    restsForMs,
    trialInMs,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || typeof value === 'number';

function toldIn(payload = ''): Told {
  try {
    return Object(JSON.parse(payload)) as Told;
  } catch {
    return {};
  }
}
