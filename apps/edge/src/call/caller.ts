import { type BucketOwner } from '@svc/limits';

/**
 * The caller: an active API key that may invoke inference
 * (docs/reference/authentication-and-permissions.md#api-keys).
 */
export interface Caller extends BucketOwner {
  /** The one project of a project key; null for an organization-wide key. */
  readonly projectId: string | null;
}
