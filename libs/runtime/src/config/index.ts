export { givenValue, type Environment } from './given-value';
export { ConfigError, loadConfig } from './load-config';
export { variables } from './variables';
