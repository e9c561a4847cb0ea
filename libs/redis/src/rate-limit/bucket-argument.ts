import { type Bucket, type BucketDemand } from '@svc/limits';

/** One argument of a script: the capacities of the key's and the organization's buckets, then the demand. */
export const bucketArgument = (buckets: readonly Bucket[], { requests, tokens }: BucketDemand): string =>
  `${buckets.map(({ capacity }) => capacity).join(',')},${String(requests)},${String(tokens)}`;

/** The pattern that parses it with Lua's `string.match`. */
export const BUCKET_ARGUMENT_PATTERN = '(%d+),(%d+),(%d+),(%d+),(%d+),(%d+)';
