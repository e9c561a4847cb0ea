import { GatewayError } from '@svc/kernel';
import { type EndpointState, isUp } from './endpoint-state';

/** @throws GatewayError `conflict` for one that cannot be started now. */
export function requireStartable(state: EndpointState): void {
  if (isUp(state)) throw new GatewayError('conflict', `The endpoint is ${state}. It cannot be started.`);
}

/** @throws GatewayError `conflict` for one that does not run. */
export function requireStoppable(state: EndpointState): void {
  if (state !== 'starting' && state !== 'running')
    throw new GatewayError('conflict', `The endpoint is ${state}. There is nothing to stop.`);
}

/** @throws GatewayError `conflict` for one that may be up. */
export function requireDeletable(state: EndpointState): void {
  if (isUp(state)) throw new GatewayError('conflict', `The endpoint is ${state}. Stop it first.`);
}
