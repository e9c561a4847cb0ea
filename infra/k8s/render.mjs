// `node infra/k8s/render.mjs`: what the overlays come to, for review and for manifests.spec.ts. Needs kubectl, and no cluster.
// `node infra/k8s/render.mjs sources`: the SHA-256 of what they are rendered of.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';

const folder = import.meta.dirname;
const shippedCatalog = join(folder, '../../config/catalog.yaml');

/** Of everything that a rendering comes of. */
function sourceSha256() {
  const hash = createHash('sha256');
  const files = ['base', 'components', 'overlays']
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

async function render() {
  // kustomize reads nothing outside of its folder.
  copyFileSync(shippedCatalog, join(folder, 'base/catalog/catalog.yaml'));
  for (const overlay of readdirSync(join(folder, 'overlays'))) {
    const file = join(folder, 'rendered', `${overlay}.yaml`);
    const manifests = execFileSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)], {
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    });
    const text = `# Made by render.mjs of the sources with SHA-256 ${sourceSha256()}.\n${manifests}`;
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
  }
}

if (process.argv[2] === 'sources') process.stdout.write(sourceSha256());
else await render();
