export { openRedis } from './connection/open-redis';
export { type RedisConnection } from './connection/redis-connection';
export { affinityRecord, RedisBuckets } from './rate-limit/redis-buckets';
