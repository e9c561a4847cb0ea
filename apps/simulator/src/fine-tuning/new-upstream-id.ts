import { randomBytes } from 'node:crypto';

/** An id as a provider makes it. */
export const newUpstreamId = (prefix: string, bytes = 12): string =>
  `${prefix}${randomBytes(bytes).toString('hex')}`;
