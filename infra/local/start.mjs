// `npm start`: from a fresh clone to a running service, on any Node.js that can read this file.
import { build } from './build.mjs';
import { becomeService } from './service.mjs';

await build();
await becomeService();
