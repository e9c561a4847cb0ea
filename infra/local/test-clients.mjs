// `npm run test:clients [-- --write]`: runs every client of docs/clients.md over every upstream. `--write` writes the page
// where all of them work. Other arguments go to Jest: `-t 'LangChain'` runs some of the clients.
import { installPythonClients } from './clients/python.mjs';
import { runJest } from './clients/jest.mjs';

const WRITE = '--write';
const args = process.argv.slice(2);
const python = await installPythonClients();
const reporter = ['--reporters', './infra/local/clients/reporter.cjs', '--silent'];
process.exit(
  await runJest(['apps/e2e/src/sdk-matrix.spec.ts', ...reporter, ...args.filter((arg) => arg !== WRITE)], {
    SVC_TEST_PYTHON: python,
    ...(args.includes(WRITE) ? { UPDATE_DOCS: '1' } : {}),
  }),
);
