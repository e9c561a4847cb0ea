import { type Database } from '@svc/database';

/** An integration that telemetry is sent to now. */
export interface OtlpIntegration {
  readonly id: string;
  readonly organizationId: string;
  /** The base of the receiver's addresses. */
  readonly url: string;
  readonly signals: readonly ('traces' | 'metrics')[];
  readonly encoding: 'protobuf' | 'json';
  /** `{"headers": {name: value}}`, sealed with the {@link integrationSecretContext}; null without headers. */
  readonly sealedSecret: Buffer | null;
}

/** The context that an integration's secrets are sealed with. */
export const integrationSecretContext = (integrationId: string): string => `integrations/${integrationId}`;

/** All integrations of kind `otlp` that are neither paused nor disabled nor deleted, by their ids. */
export async function activeOtlpIntegrations({ pool }: Database): Promise<readonly OtlpIntegration[]> {
  const { rows } = await pool.query<OtlpIntegration>({
    name: 'active_otlp_integrations',
    text: `SELECT id, organization_id AS "organizationId", config ->> 'url' AS url, config -> 'signals' AS signals,
             config ->> 'encoding' AS encoding, secret_ciphertext AS "sealedSecret"
           FROM integrations WHERE kind = 'otlp' AND enabled AND deleted_at IS NULL ORDER BY id`,
  });
  return rows;
}
