import { z } from 'zod';

export const EXAMPLE_REQUEST_ID = 'req_06dpm2q4x8k3c0v9r7t5w1hzny';

const requestId = z.string().meta({
  description: 'The id of this call.',
  example: EXAMPLE_REQUEST_ID,
  header: { id: 'requestId' },
});

const shouldRetry = z.enum(['true', 'false']).meta({
  description: 'Equal to `error.retriable`, for SDKs.',
  header: { id: 'shouldRetry' },
});

const retryAfter = z
  .int()
  .min(1)
  .max(60)
  .meta({
    description: 'Whole seconds until the call would fit the rate limit.',
    example: 2,
    header: { id: 'retryAfter' },
  });

const retryAfterMs = z
  .int()
  .min(1)
  .max(60_000)
  .meta({ description: 'The same in milliseconds.', example: 1500, header: { id: 'retryAfterMs' } });

/** On every answer. */
export const answerHeaders = { 'X-Request-Id': requestId };
/** On every error. */
export const errorHeaders = { ...answerHeaders, 'x-should-retry': shouldRetry };
/** On every 429. */
export const retryHeaders = { ...errorHeaders, 'Retry-After': retryAfter, 'retry-after-ms': retryAfterMs };
