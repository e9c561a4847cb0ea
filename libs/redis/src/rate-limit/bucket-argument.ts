import { type Bucket, type BucketDemand } from '@svc/inference';

/** Capacities of requests and tokens of the key and of the organization, then the demand of both: one argument of a script. */
export const bucketArgument = (buckets: readonly Bucket[], { requests, tokens }: BucketDemand): string =>
  `${buckets.map(({ capacity }) => capacity).join(',')},${String(requests)},${String(tokens)}`;

/** How a script takes one apart: a pattern of Lua's `string.match`. */
export const BUCKET_ARGUMENT_PATTERN = '(%d+),(%d+),(%d+),(%d+),(%d+),(%d+)';
