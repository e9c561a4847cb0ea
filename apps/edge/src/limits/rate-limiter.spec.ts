import { InProcessLimiter } from './in-process-limiter';
import { describeLimiter } from './rate-limiter.contract';

describeLimiter('in this process', (clock) =>
  Promise.resolve({ limiter: new InProcessLimiter(clock), close: () => Promise.resolve() }),
);
