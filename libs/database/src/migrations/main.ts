import { exitWithError } from '@svc/platform';
import { migratedUrl } from './config';
import { migrate } from './migrate';

/** `npm run migrate`. */
migrate(migratedUrl(), { onLine: (line) => process.stdout.write(`${line}\n`) }).catch(
  exitWithError('migrate'),
);
