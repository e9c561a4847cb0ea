import { type Bucket, type BucketDemand } from '@svc/limits';

/**
 * One argument of a script: the capacities of the key's buckets and of the organization's, the demand, and then the
 * capacities of each group.
 * @param buckets the key's two, the organization's two, and two of each group
 */
export function bucketArgument(buckets: readonly Bucket[], { requests, tokens }: BucketDemand): string {
  const demand = `${String(requests)},${String(tokens)}`;
  if (buckets.length === UNGROUPED) return `${capacities(buckets)},${demand}`;
  return `${capacities(buckets.slice(0, UNGROUPED))},${demand},${capacities(buckets.slice(UNGROUPED))}`;
}

/** The key's buckets and the organization's, which every call has. */
const UNGROUPED = 4;

const capacities = (buckets: readonly Bucket[]): string => buckets.map(({ capacity }) => capacity).join(',');

/** A pattern of Lua that reads it: six numbers, and the text of the groups, which `BUCKET_GROUP_PATTERN` reads. */
export const BUCKET_ARGUMENT_PATTERN = '^(%d+),(%d+),(%d+),(%d+),(%d+),(%d+)(.*)$';
export const BUCKET_GROUP_PATTERN = ',(%d+),(%d+)';
