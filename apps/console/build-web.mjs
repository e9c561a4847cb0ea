// `node apps/console/build-web.mjs`: the browser application, into dist/apps/console/web, each file with its compressed
// forms beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const built = join(import.meta.dirname, '../../dist/apps/console/web');
/** Below it, a compressed form saves less than its header costs. */
const SMALL_BYTES = 256;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

await build({ root: join(import.meta.dirname, 'web'), configLoader: 'runner', logLevel: 'warn' }).catch(
  ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);
for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  const contents = readFileSync(file);
  if (contents.length < SMALL_BYTES) continue;
  writeFileSync(`${file}.br`, brotliCompressSync(contents, brotli));
  writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
}
