// `npm run spec -- <paths> [arguments for Jest]`: runs these specs, of any tier, and brings what they need.
import { providePrismaClient } from './generated.mjs';
import { becomeJest, jestArguments } from './jest.mjs';

// The other tiers build, which does this too.
await providePrismaClient();
await becomeJest([...jestArguments({}).slice(0, -1), ...process.argv.slice(2)]);
