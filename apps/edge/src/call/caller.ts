import { type Bucket } from '@svc/limits';

/**
 * The caller: an active API key that may invoke inference
 * (docs/reference/authentication-and-permissions.md#api-keys).
 */
export interface Caller {
  readonly apiKeyId: string;
  readonly organizationId: string;
  /** The one project of a project key; null for an organization-wide key. */
  readonly projectId: string | null;
  /** The key's two buckets and its organization's two. */
  readonly buckets: readonly Bucket[];
}
