import { type Bucket } from '@svc/inference';

/** Who is calling: an API key that is alive and may invoke inference (contract.md section 4). */
export interface Caller {
  readonly apiKeyId: string;
  readonly organizationId: string;
  /** The one project of a project key; null for an organization-wide key. */
  readonly projectId: string | null;
  /** The key's two buckets and its organization's two. */
  readonly buckets: readonly Bucket[];
}
