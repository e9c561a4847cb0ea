import { z } from 'zod';

const organizationId = z.string();

/** A written row or column, as the trigger `tell_change` reports it; or the health of a credential, as an edge does. */
const toldChange = z.discriminatedUnion('table', [
  z.object({ table: z.literal('organizations'), organization_id: organizationId }),
  z.object({ table: z.literal('organizations.usage_tag'), organization_id: organizationId }),
  z.object({ table: z.literal('organizations.prices'), organization_id: organizationId }),
  z.object({ table: z.literal('policy_versions'), organization_id: organizationId }),
  z.object({
    table: z.literal('lower_policy_versions'),
    organization_id: organizationId,
    level: z.enum(['project', 'key']),
    owner_id: z.string(),
  }),
  z.object({ table: z.literal('provider_credentials'), organization_id: organizationId }),
  z.object({
    table: z.literal('credential_reports'),
    edge_instance_id: z.string(),
    credential: z.string(),
    health_epoch: z.int(),
    endpoint_id: z.string(),
    rest: z.enum(['rate_limit', 'forbidden', 'refused']).nullable(),
    rests_for_ms: z.number().nullable(),
    trial_in_ms: z.number().nullable(),
  }),
  z.object({ table: z.literal('integrations'), organization_id: organizationId }),
  z.object({ table: z.literal('fine_tuned_models'), organization_id: organizationId }),
  z.object({ table: z.literal('fine_tuning_endpoint_runs'), organization_id: organizationId }),
  z.object({ table: z.literal('projects'), organization_id: organizationId, project_id: z.string() }),
  z.object({ table: z.literal('api_keys'), organization_id: organizationId, key_sha256: z.string() }),
]);

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

/** An unknown payload, perhaps of a newer version, counts as a change of anything. */
export function changeIn(payload: string | undefined): Change {
  const told = toldChange.safeParse(jsonIn(payload));
  return told.success ? changeOf(told.data) : ANYTHING;
}

function changeOf(told: z.infer<typeof toldChange>): Change {
  if (told.table === 'credential_reports') return healthChangeOf(told);
  const { organization_id: organizationId } = told;
  switch (told.table) {
    case 'organizations':
      return { of: 'organization', organizationId };
    case 'organizations.usage_tag':
      return { of: 'usageTag', organizationId };
    case 'organizations.prices':
      return { of: 'prices', organizationId };
    case 'policy_versions':
      return { of: 'policy', organizationId };
    case 'lower_policy_versions':
      return { of: 'lowerPolicy', organizationId, level: told.level, ownerId: told.owner_id };
    case 'provider_credentials':
      return { of: 'providerCredentials', organizationId };
    case 'integrations':
      return { of: 'otlpIntegration', organizationId };
    case 'fine_tuned_models':
    case 'fine_tuning_endpoint_runs':
      return { of: 'tunedModels', organizationId };
    case 'projects':
      return { of: 'project', organizationId, projectId: told.project_id };
    case 'api_keys':
      return { of: 'apiKey', organizationId, keySha256: told.key_sha256 };
  }
}

const healthChangeOf = (
  told: Extract<z.infer<typeof toldChange>, { readonly table: 'credential_reports' }>,
): CredentialHealthChange => ({
  of: 'credentialHealth',
  edgeInstanceId: told.edge_instance_id,
  credential: told.credential,
  healthEpoch: told.health_epoch,
  endpointId: told.endpoint_id === '' ? null : told.endpoint_id,
  rest: told.rest,
  restsForMs: told.rests_for_ms,
  trialInMs: told.trial_in_ms,
});

function jsonIn(payload = ''): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
