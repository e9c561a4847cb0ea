import { createLogger } from '@svc/runtime/observability';
import { openRedis, RedisBuckets } from '@svc/redis';
import { RedisServer } from '@svc/redis/testing';
import { freePort } from '@svc/testing';
import { describeLimiter } from './rate-limiter.contract';
import { RedisLimiter } from './redis-limiter';

describeLimiter('in Redis', async (clock) => {
  const server = await RedisServer.start(await freePort());
  const redis = await openRedis({
    url: server.url,
    logger: createLogger({ service: 'edge-spec', level: 'silent' }),
  });
  return {
    limiter: new RedisLimiter(new RedisBuckets(redis, clock)),
    close: async () => {
      redis.close();
      await server.stop();
    },
  };
});
