// Rolls the services between the images of this version and those of another one.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../../local/workspace.mjs';
import { SERVICES } from './disturbances.mjs';
import { untilRolledOut } from './installed-dev.mjs';
import { inDev } from './kubectl.mjs';

const UPGRADES = 20;
const ROLL_BACKS = 5;
/** Calls go on for a while before the next one. */
const BETWEEN_MS = 2_000;

/** @param otherTag that of the other version's images: `svc-edge:<tag>`. This version's are on the node, with the tag `local`. */
export async function upgradeOftenBetween(otherTag) {
  for (let nth = 1; nth <= UPGRADES; nth++) {
    const tag = nth % 2 === 1 ? otherTag : 'local';
    await rollAll((name, image) => ['set', 'image', `deployment/${name}`, `*=${image}:${tag}`]);
    say(`upgrade ${nth} of ${UPGRADES}: to ${tag}`);
  }
}

export async function rollBackOften() {
  for (let nth = 1; nth <= ROLL_BACKS; nth++) {
    await rollAll((name) => ['rollout', 'undo', `deployment/${name}`]);
    say(`roll-back ${nth} of ${ROLL_BACKS}`);
  }
}

/** All at once, as a new version comes. */
async function rollAll(commandFor) {
  for (const name of SERVICES.filter((service) => service !== 'proxy'))
    await inDev(...commandFor(name, `svc-${name}`));
  await untilRolledOut();
  await pause(BETWEEN_MS);
}
