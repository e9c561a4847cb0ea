import { installPackages, isOnPath } from '../../local/servers/programs.mjs';

/** Some specs run the commands of pages as a person pastes them. */
export const provideCurl = () => installPackages(isOnPath('curl') ? [] : ['curl']);
