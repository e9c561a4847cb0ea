// `npm run test:heavy [-- arguments for Jest]`: runs the specs that `npm test` leaves out (`*.heavy.spec.ts`), one after
// another: they take minutes each, and some of them measure.
import { runJest } from './clients/jest.mjs';

process.exit(await runJest(['[.]heavy[.]spec', '--runInBand', ...process.argv.slice(2)], {}));
