export { followConfig } from './follow-config';
export { followFiles } from './follow-files';
export { FollowedEnvironment } from './followed-environment';
export { givenValue, type Environment } from './given-value';
export { ConfigError, loadConfig } from './load-config';
export { ReloadedFiles } from './reloaded-files';
export { variables } from './variables';
