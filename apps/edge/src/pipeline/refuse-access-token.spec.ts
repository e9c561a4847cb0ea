import { GatewayError, type ErrorName } from '@svc/kernel';
import { refuseAccessTokens } from './refuse-access-token';

const JWT = 'eyJh.eyJq.c2ln';
const LIVE = {
  userId: 'usr_1',
  appId: 'oapp_1',
  organizationId: 'org_1',
  scopes: [],
  role: 'owner',
} as const;

/** How a call with this header ends, given the tokens and their states. */
async function endOf(
  authorization: string | undefined,
  isForged = false,
  isRevoked = false,
): Promise<string> {
  const refuse = refuseAccessTokens(
    { verify: () => (isForged ? refused('invalidToken') : Promise.resolve({ jti: 'jti-1' })) },
    { accessToken: () => (isRevoked ? refused('tokenRevoked') : Promise.resolve(LIVE)) },
  );
  return refuse({ authorization }).then(
    () => 'not refused',
    (error: unknown) => (error as GatewayError).reason,
  );
}

const refused = (reason: ErrorName) => Promise.reject(new GatewayError(reason, 'No.'));

describe('an access token', () => {
  it.each([
    ['that is live opens no inference', false, false, 'insufficientScope'],
    ['that is forged is forged here too', true, false, 'invalidToken'],
    ['that is revoked is revoked here too', false, true, 'tokenRevoked'],
  ])('%s', async (_, isForged, isRevoked, reason) => {
    expect(await endOf(`Bearer ${JWT}`, isForged, isRevoked)).toBe(reason);
    expect(await endOf(`bearer  ${JWT}`, isForged, isRevoked)).toBe(reason);
  });

  it('without a signature is forged', async () => {
    expect(await endOf('Bearer eyJh.eyJq.', true)).toBe('invalidToken');
  });
});

it.each([undefined, '', 'Bearer svc_sk_short', 'Bearer a.b', `Basic ${JWT}`, `Bearer ${JWT} more`])(
  'Authorization: %p is no access token',
  async (authorization) => {
    expect(await endOf(authorization, true, true)).toBe('not refused');
  },
);
