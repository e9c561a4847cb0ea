// `npm run test:upgrade [-- arguments for Jest]`: rolls separate services from the version before to this one and back,
// under load.
import { becomeJest, jestArguments } from './jest.mjs';

await becomeJest(jestArguments({ tiers: ['upgrade'], flags: process.argv.slice(2) }));
