// `npm run test:docs:python`: runs the Python of the docs.
import { installPythonClients } from './clients/python.mjs';
import { runJest } from './clients/jest.mjs';

const python = await installPythonClients();
const spec = [
  'apps/e2e/src/docs.e2e.spec.ts',
  '-t',
  'connect-your-tool|docs/fine-tuning',
  ...process.argv.slice(2),
];
process.exit(await runJest(spec, { SVC_TEST_PYTHON: python }));
