export { AddressRefusals } from './address-refusals';
export { openKnownCallers } from './open-known-callers';
