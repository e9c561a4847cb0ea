export { EndpointProtocolDriver } from './endpoint-protocol-driver';
export { openFineTuningProvider } from './open-fine-tuning-provider';
export { type ProviderAccess } from './provider-headers';
