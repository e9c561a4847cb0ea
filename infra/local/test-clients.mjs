// `npm run test:clients [-- --write]`: runs every client of docs/clients.md over every upstream. `--write` writes the page
// where all of them work. Other arguments go to Jest: `-t 'LangChain'` runs some of the clients.
import { installNodeClients } from './clients/node.mjs';
import { installPythonClients } from './clients/python.mjs';
import { becomeJest, jestArguments } from './jest.mjs';
import { installNginx } from './servers/nginx.mjs';

const WRITE = '--write';
const args = process.argv.slice(2);
const flags = ['--reporters', './infra/local/clients/reporter.cjs', '--reporters', 'summary', '--silent'];
await becomeJest(
  jestArguments({
    tiers: ['e2e', 'heavy'],
    flags: [...flags, ...args.filter((arg) => arg !== WRITE)],
    paths: ['sdk-matrix', 'codex', 'end-users', 'spreadsheet', 'agents/coding-agents'].map(
      (name) => `apps/e2e/src/${name}[.]`,
    ),
  }),
  {
    SVC_TEST_PYTHON: await installPythonClients(),
    SVC_TEST_NODE_CLIENTS: await installNodeClients(),
    SVC_TEST_NGINX: await installNginx(),
    ...(args.includes(WRITE) ? { UPDATE_DOCS: '1' } : {}),
  },
);
