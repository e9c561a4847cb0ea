// `npm run lint`: ESLint over the files that have changed, and Prettier.
import { becomeTools } from './tools.mjs';

await becomeTools(['nx', 'run-many', '-t', 'lint', '--output-style=static'], ['prettier', '--check', '.']);
