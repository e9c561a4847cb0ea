export { EdgeModule, type EdgeRuntime } from './edge.module';
export { RedisLimiter } from './limits/redis-limiter';
