// `npm run typecheck`: the types of the workspace, and of the browser code. Both take generated clients.
import { becomeTools } from './tools.mjs';

await becomeTools(['nx', 'run-many', '-t', 'typecheck', '--parallel=2', '--output-style=static']);
