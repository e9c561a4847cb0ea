export const endpointStates = ['stopped', 'starting', 'running', 'stopping', 'failed'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** Why an endpoint does not run any more. */
export const stopReasons = [
  'user',
  'idle',
  'max_hours',
  'budget',
  'wallet_empty',
  'start_failed',
  'provider_error',
  'model_deleted',
  'organization_suspended',
  'operator',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** True where machines of a provider may be up for it: it counts as running, and cannot be deleted. */
export const isUp = (state: EndpointState): boolean =>
  state === 'starting' || state === 'running' || state === 'stopping';

/** Of an organization, unless the operator allows it more. */
export const RUNNING_ENDPOINTS_MAX = 3;
/** `SVC_ENDPOINT_SLICE_SECONDS` */
export const SLICE_SECONDS_DEFAULT = 600;
/** How long calls in flight have before the provider is told to stop. */
export const DRAIN_SECONDS = 60;
/** The provider's own idle time-out is later than ours by so much: it is for the case that nobody is left to stop it. */
export const PROVIDER_IDLE_MINUTES_MORE = 15;
