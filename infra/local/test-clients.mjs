// `npm run test:clients [-- --write]`: runs every client of docs/clients.md over every upstream. `--write` writes the page
// where all of them work. Other arguments go to Jest: `-t 'LangChain'` runs some of the clients.
import { installNodeClients } from './clients/node.mjs';
import { installPythonClients } from './clients/python.mjs';
import { runJest } from './clients/jest.mjs';

const WRITE = '--write';
const args = process.argv.slice(2);
const python = await installPythonClients();
const nodeClients = await installNodeClients();
const specs = ['sdk-matrix.heavy', 'codex', 'spreadsheet'].map((name) => `apps/e2e/src/${name}.spec.ts`);
const reporter = ['--reporters', './infra/local/clients/reporter.cjs', '--silent'];
process.exit(
  await runJest([...specs, ...reporter, ...args.filter((arg) => arg !== WRITE)], {
    SVC_TEST_PYTHON: python,
    SVC_TEST_NODE_CLIENTS: nodeClients,
    ...(args.includes(WRITE) ? { UPDATE_DOCS: '1' } : {}),
  }),
);
