import 'reflect-metadata';
import { runService } from '@svc/http';
import { readConfig } from './config';
import { ConsoleModule } from './console.module';

/** The console as a process of its own. It needs no other server, and knows no secret. */
runService('console', () => ({
  environment: readConfig(),
  compose: ({ server }) =>
    Promise.resolve({
      module: ConsoleModule.register({ server }),
      dependencies: [],
      close: () => Promise.resolve(),
    }),
}));
