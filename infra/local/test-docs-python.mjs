// `npm run test:docs:python [-- arguments for Jest]`: runs the Python of the docs.
import { installPythonClients } from './clients/python.mjs';
import { becomeJest, jestArguments } from './jest.mjs';

await becomeJest(
  jestArguments({
    tiers: ['start'],
    flags: ['-t', 'connect-your-tool|docs/fine-tuning', ...process.argv.slice(2)],
    paths: ['apps/e2e/src/docs[.]start'],
  }),
  { SVC_TEST_PYTHON: await installPythonClients() },
);
