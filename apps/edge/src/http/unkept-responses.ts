const RESPONSE = /^\/v1\/responses\/./;

/**
 * Why a response cannot be fetched, cancelled or deleted (docs/reference/inference-and-compatibility.md#responses); null
 * for any other path.
 */
export const unkeptResponses = (path: string): string | null =>
  RESPONSE.test(path) ? 'The service keeps no responses: it answers `POST /v1/responses` only.' : null;
