export { RedisServer } from './redis-server';
