import { GatewayError } from '@svc/kernel';
import { type CredentialState } from '@svc/policy/store';

/** The actions on a credential, beside the rotation of its secret. */
export type CredentialAction = 'disable' | 'enable' | 'revoke' | 'compromise';

interface Transition {
  readonly from: readonly CredentialState[];
  readonly to: CredentialState;
}

/** A revoked or compromised credential stays so. */
const transitions: Readonly<Record<CredentialAction, Transition>> = {
  disable: { from: ['active'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
  revoke: { from: ['active', 'disabled'], to: 'revoked' },
  compromise: { from: ['active', 'disabled'], to: 'compromised' },
};

/**
 * The state that an action leads to; the same state where the action was already done, so that a call may be repeated.
 * @throws GatewayError `conflict`.
 */
export function stateAfter(state: CredentialState, action: CredentialAction): CredentialState {
  const { from, to } = transitions[action];
  if (state === to || from.includes(state)) return to;
  throw new GatewayError('conflict', `A ${state} credential cannot become ${to}. ${ADVICE}`);
}

/** @throws GatewayError `conflict` for a credential that takes no new secret. */
export function requireRotatable(state: CredentialState): void {
  if (!isFinal(state)) return;
  throw new GatewayError('conflict', `A ${state} credential takes no new secret. ${ADVICE}`);
}

/** @throws GatewayError `conflict` for a credential that stays as it is. */
export function requireChangeable(state: CredentialState): void {
  if (!isFinal(state)) return;
  throw new GatewayError('conflict', `A ${state} credential cannot be changed. ${ADVICE}`);
}

const isFinal = (state: CredentialState): boolean => state === 'revoked' || state === 'compromised';

const ADVICE = 'Store another credential instead.';
