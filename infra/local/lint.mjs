// `npm run lint`: ESLint over the projects that have changed, and Prettier.
import { becomeTools } from './tools.mjs';

await becomeTools(
  ['nx', 'run-many', '-t', 'lint', '--parallel=2', '--output-style=static'],
  ['prettier', '--check', '.'],
);
