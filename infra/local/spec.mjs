// `npm run spec -- <paths> [arguments for Jest]`: runs these specs, of any tier, and brings what they need.
import { becomeJest, jestArguments } from './jest.mjs';

await becomeJest([...jestArguments({}).slice(0, -1), ...process.argv.slice(2)]);
