import { type CredentialState } from '@svc/policy/store';
import {
  requireChangeable,
  requireRotatable,
  stateAfter,
  type CredentialAction,
} from './credential-transitions';

const states: readonly CredentialState[] = ['active', 'disabled', 'revoked', 'compromised'];
const refusal = expect.objectContaining({ reason: 'conflict' }) as Error;

const outcome = (work: () => CredentialState): CredentialState | 'conflict' => {
  try {
    return work();
  } catch (error) {
    expect(error).toEqual(refusal);
    return 'conflict';
  }
};

describe('the state of a credential', () => {
  it.each<[CredentialAction, (CredentialState | 'conflict')[]]>([
    ['disable', ['disabled', 'disabled', 'conflict', 'conflict']],
    ['enable', ['active', 'active', 'conflict', 'conflict']],
    ['revoke', ['revoked', 'revoked', 'revoked', 'conflict']],
    ['compromise', ['compromised', 'compromised', 'conflict', 'compromised']],
  ])('after %s follows from the one before: active, disabled, revoked, compromised', (action, after) => {
    expect(states.map((state) => outcome(() => stateAfter(state, action)))).toEqual(after);
  });

  it.each([
    ['takes a new secret', requireRotatable],
    ['can be changed', requireChangeable],
  ])('decides whether it %s', (_, require) => {
    const allowed = states.map((state) =>
      outcome(() => {
        require(state);
        return state;
      }),
    );
    expect(allowed).toEqual(['active', 'disabled', 'conflict', 'conflict']);
  });
});
