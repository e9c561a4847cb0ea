/** True where the process that holds the claim `c` has died. A lapsed lease alone does not prove it: see the function. */
const EDGE_IS_LOST = 'edge_is_lost(c.edge_instance_id)';

/**
 * True where the call `r` of the claim `c` has ended without an answer to replay. It has none, or one that was stored but
 * never charged: its process died between the two, and the worker closed the call.
 */
const ENDED_IN_VAIN = `r.status <> 'pending' AND (c.state = 'in_progress' OR r.error_code IS NOT NULL)`;

/**
 * A claim that is no longer valid: expired, of a process that died before the answer, or of a call that ended in vain.
 */
const isFree = (endedInVain: string): string =>
  `(c.expires_at <= now() OR c.state = 'in_progress' AND ${EDGE_IS_LOST} OR ${endedInVain})`;

const IS_FREE = isFree(
  `EXISTS (SELECT FROM request_records r WHERE r.id = c.request_id AND ${ENDED_IN_VAIN})`,
);

/**
 * Reads the valid claims, answered or in progress, on the keys of many calls at once. It takes no lock, waits for none
 * and writes nothing.
 */
export const STANDING = {
  name: 'standing_idempotency_claims',
  text: `SELECT wanted.at::int AS at, c.request_id, c.fingerprint_sha256,
      coalesce(c.state = 'completed' AND r.status <> 'pending', false) AS is_answered,
      CASE WHEN c.fingerprint_sha256 = wanted.fingerprint AND r.status <> 'pending' THEN c.response_ciphertext END
        AS response_ciphertext
    FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS wanted (organization_id, key, fingerprint, at)
    JOIN idempotency_claims c ON c.organization_id = wanted.organization_id AND c.key = wanted.key
    LEFT JOIN request_records r ON r.id = c.request_id
    WHERE NOT ${isFree(`coalesce(${ENDED_IN_VAIN}, false)`)}`,
};

/** Takes a key, or takes it over. Where it cannot, returns the valid claim. No row: a claim came or went meanwhile. */
export const CLAIM = {
  name: 'claim_idempotency_key',
  text: `WITH claimed AS (
      INSERT INTO idempotency_claims AS c
        (organization_id, key, request_id, fingerprint_sha256, edge_instance_id, expires_at)
      VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')
      ON CONFLICT (organization_id, key) DO UPDATE SET
        request_id = excluded.request_id, fingerprint_sha256 = excluded.fingerprint_sha256,
        state = 'in_progress', edge_instance_id = excluded.edge_instance_id, http_status = NULL,
        response_ciphertext = NULL, created_at = now(), expires_at = excluded.expires_at
      WHERE ${IS_FREE}
      RETURNING request_id, fingerprint_sha256)
    SELECT true AS claimed, request_id, fingerprint_sha256, false AS is_answered, NULL::bytea AS response_ciphertext
    FROM claimed
    UNION ALL
    SELECT false, c.request_id, c.fingerprint_sha256, coalesce(c.state = 'completed' AND r.status <> 'pending', false),
      CASE WHEN c.fingerprint_sha256 = $4 AND r.status <> 'pending' THEN c.response_ciphertext END
    FROM idempotency_claims c LEFT JOIN request_records r ON r.id = c.request_id
    WHERE c.organization_id = $1 AND c.key = $2 AND NOT EXISTS (SELECT FROM claimed) AND NOT ${IS_FREE}`,
};
