import { addPackages, isOnPath } from '../../local/servers/programs.mjs';
import { say } from '../../local/workspace.mjs';

/** A few specs run the commands of pages as a person pastes them. Where it cannot be had, those are red and the others run. */
export async function provideCurl() {
  if (isOnPath('curl')) return;
  await addPackages(['curl']).catch(({ message }) => say(message.split('\n').at(-1)));
}
