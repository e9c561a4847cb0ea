// `npm run test:fuzz [-- arguments for Jest]`: Schemathesis makes up calls of every route of the OpenAPI document.
import { installFuzzer } from './clients/python.mjs';
import { becomeJest, jestArguments } from './jest.mjs';

await becomeJest(
  jestArguments({
    tiers: ['heavy'],
    flags: process.argv.slice(2),
    paths: ['apps/e2e/src/fuzzed-routes[.]'],
  }),
  { SVC_TEST_FUZZER: await installFuzzer() },
);
