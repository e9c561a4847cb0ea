// `npm run migrate`: applies pending migrations to SVC_DATABASE_URL.
import { becomeTools } from './tools.mjs';

await becomeTools(['prisma', 'migrate', 'deploy', ...process.argv.slice(2)]);
