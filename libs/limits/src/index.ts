export { admit, giveBack, rateLimitError, refuseOversizedDemand, type Admission } from './admit';
export { bucketGroups, withBucketGroups, type BucketOwner, type FurtherLimits } from './bucket-groups';
export { credentialBuckets, type BucketHolder } from './credential-buckets';
export { DROPS_PER_UNIT, type Bucket, type BucketDemand, type BucketState } from './bucket';
export { estimateTokens } from './estimate-tokens';
export { limitHeaders } from './limit-headers';
export { ORGANIZATION_RATE_LIMIT, bucketsFor, type RateLimit } from './limits';
