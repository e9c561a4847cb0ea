// Rolls the services between this version and the one before, each by its own manifests and images.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkOutVersionBefore } from '../../local/version-before.mjs';
import { root, say } from '../../local/workspace.mjs';
import { manifestsIn } from '../manifests.mjs';
import { OF_TWO, SERVICES } from './disturbances.mjs';
import { untilRolledOut } from './installed-dev.mjs';
import { apply, inDev } from './kubectl.mjs';

const UPGRADES = 20;
const SET_UP_TIMEOUT = '--timeout=300s';
/** Names that kustomize makes of the content. */
const GENERATED = /-[a-z0-9]{10}$/;
/** Calls go on for a while before the next one. */
const BETWEEN_MS = 2_000;

/**
 * Goes back to the version before and upgrades from it, in turns.
 * @param tag of its images on the node: `svc-edge:<tag>`. This version's have the tag `local`.
 */
export async function upgradeOftenFrom(tag) {
  const folder = checkOutVersionBefore();
  say(`the images of the tag ${tag} are taken for those of ${folder}`);
  const before = objectsOf(folder, tag);
  const now = objectsOf(root, 'local');
  for (let nth = 1; nth <= UPGRADES; nth++) {
    await rollTo(before);
    await rollTo(now);
    say(`${nth} of ${UPGRADES}`);
  }
}

/** In the order of docs/deploy.md: set-up, then every service at once. */
async function rollTo({ setUp, services }) {
  const job = setUp.metadata.name;
  await inDev('delete', 'job', job, '--ignore-not-found');
  await apply(setUp);
  await inDev('wait', '--for=condition=complete', `job/${job}`, SET_UP_TIMEOUT);
  await apply(...services);
  await untilRolledOut();
  await pause(BETWEEN_MS);
}

/**
 * What is of a version: its set-up, and its services with what they mount of `configMapGenerator`, whose names tell the content.
 * Stores, secrets, settings and policies are the operator's, and stay as they are.
 */
function objectsOf(folder, tag) {
  const all = manifestsIn(readFileSync(join(folder, 'infra/k8s/rendered/dev.yaml'), 'utf8'));
  const services = all.filter(
    ({ kind, metadata: { name } }) =>
      (kind === 'Deployment' && SERVICES.includes(name)) || (kind === 'ConfigMap' && GENERATED.test(name)),
  );
  for (const { kind, metadata, spec } of services)
    if (kind === 'Deployment') spec.replicas = OF_TWO.includes(metadata.name) ? 2 : 1;
  const setUp = all.find(({ kind }) => kind === 'Job');
  for (const { spec } of [setUp, ...services])
    for (const container of spec?.template.spec.containers ?? [])
      container.image = container.image.replace(/^(svc-.+):local$/, `$1:${tag}`);
  return { setUp, services };
}
