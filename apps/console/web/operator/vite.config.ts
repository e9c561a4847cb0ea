import { fileURLToPath } from 'node:url';
import { configOf } from '../vite.config';

/** A page needs little code of its own: one file is smaller than several. */
const files = [{ name: 'index', test: /.*/ }];

const absent = fileURLToPath(new URL('absent/approvals.ts', import.meta.url));

/** The operator's console: files of their own, which those of the console neither load nor share. */
const config = configOf({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/operator/',
  publicDir: fileURLToPath(new URL('../public', import.meta.url)),
  outDir: 'dist/apps/console/operator',
  files,
  // Nothing of the operator waits for approval, and with it would come the session.
  alias: [{ find: /^.*\/(approval-reason|waits-for-approval)$/, replacement: absent }],
});

export { config as default };
