// `node apps/console/build-web.mjs`: the browser applications, into dist/apps/console, each file with its compressed forms
// beside it. The console is `web`, the operator's `operator`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const sources = join(import.meta.dirname, 'web');
const target = join(import.meta.dirname, '../../dist/apps/console');
/** Below it, a compressed form saves less than its header costs. */
const SMALL_BYTES = 256;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

// Vite builds for development where this says something else, as it does within Jest.
process.env.NODE_ENV = 'production';
for (const root of [sources, join(sources, 'operator')]) {
  await build({ root, configLoader: 'runner', logLevel: 'warn' }).catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  });
}
for (const built of ['web', 'operator']) compress(join(target, built));

function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const contents = readFileSync(file);
    if (contents.length < SMALL_BYTES) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(contents, brotli));
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
  }
}
