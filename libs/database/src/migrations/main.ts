import { exitWithError } from '@svc/runtime';
import { migratedUrl } from './config';
import { migrate } from './migrate';

/** `npm run migrate`. */
migrate(migratedUrl(), { onLine: (line) => process.stdout.write(`${line}\n`) }).catch(
  exitWithError('migrate'),
);
