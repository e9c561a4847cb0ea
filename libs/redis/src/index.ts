export { openRedis } from './connection/open-redis';
export { type RedisConnection } from './connection/redis-connection';
export { RedisBuckets, type BucketHolders } from './rate-limit/redis-buckets';
