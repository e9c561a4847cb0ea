// `npm run format [-- <files>]`: writes files as Prettier wants them.
import { becomeTools } from './tools.mjs';

const files = process.argv.slice(2);
await becomeTools(['prettier', '--write', ...(files.length > 0 ? files : ['.'])]);
