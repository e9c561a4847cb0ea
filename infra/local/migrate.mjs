// `npm run migrate`: brings the database of SVC_DATABASE_URL to this version's schema.
import { build } from './build.mjs';
import { becomeTools } from './tools.mjs';
import { serviceNode } from './workspace.mjs';

await build({ browserCode: false });
await becomeTools([serviceNode(), 'dist/libs/database/src/migrations/main.js']);
