import { apiKeyHashText, type CredentialHeaders } from '@svc/access';
import { type ApiKeyRecord } from '@svc/access/store';
import { addressListOf, type Clock, GatewayError } from '@svc/kernel';
import { type Change } from '@svc/database';
import { FakeClock } from '@svc/testing';
import { type RequestOrigin } from '@svc/http';
import { type AuthenticationWatch, Authenticator } from './authenticate';

const SECRET = 'svc_sk_0123456789abcdef';
const UNKNOWN = 'svc_sk_nobody-has-this-one';
const bearer = (secret: string): CredentialHeaders => ({ authorization: `Bearer ${secret}` });

const activeKey: ApiKeyRecord = {
  id: 'key_1',
  organizationId: 'org_1',
  projectId: null,
  scopes: ['inference:invoke'],
  state: 'active',
  expiresAt: null,
  rateLimitRpm: null,
  rateLimitTpm: null,
  organizationRpm: null,
  organizationTpm: null,
  organizationState: 'active',
  allowedAddresses: null,
};

const HERE: RequestOrigin = { headers: {}, socket: { remoteAddress: '192.0.2.1' } };
const readPeer = ({ socket }: RequestOrigin) => socket.remoteAddress ?? '';
const authenticatorOf = (
  keys: Pick<KeyTable, 'find'>,
  clock: Clock,
  watch: Partial<AuthenticationWatch> = {},
) =>
  new Authenticator(keys.find, clock, readPeer, {
    noteKeyUse: () => undefined,
    refuseAccessToken: () => Promise.resolve(),
    noteRefusal: () => undefined,
    noteAddressRefusal: () => undefined,
    ...watch,
  });

/** Keys that a test changes without telling the authenticator, as another process would. */
class KeyTable {
  lookups = 0;
  failing = false;
  record: ApiKeyRecord;
  constructor(changes: Partial<ApiKeyRecord> = {}) {
    this.record = { ...activeKey, ...changes };
  }
  readonly find = async (hash: string): Promise<ApiKeyRecord | null> => {
    this.lookups++;
    await new Promise(setImmediate);
    if (this.failing) throw new Error('Connection terminated unexpectedly');
    return hash === apiKeyHashText(SECRET) ? this.record : null;
  };
}

const refusalOf = (answer: Promise<unknown>): Promise<GatewayError> =>
  answer.then(
    () => {
      throw new Error('was let in');
    },
    (error: unknown) => error as GatewayError,
  );

/** Moves the monotonic clock that ages the cached records. */
const realNow = performance.now.bind(performance);
let movedMs = 0;
const moveMonotonicClock = async (ms: number): Promise<void> => {
  movedMs += ms;
  // The cache reads its clock once a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5));
};
beforeAll(() => {
  performance.now = () => realNow() + movedMs;
});
afterAll(() => {
  performance.now = realNow;
});

describe('a caller with a valid key', () => {
  it.each([
    ['Authorization: Bearer', bearer(SECRET)],
    ['x-api-key', { 'x-api-key': SECRET }],
  ])('is known by the header %s', async (_, headers) => {
    const keys = new KeyTable({ projectId: 'proj_1', rateLimitRpm: 7, organizationTpm: 9 });
    const caller = await authenticatorOf(keys, new FakeClock()).authenticate(headers, HERE);
    expect(caller).toMatchObject({ apiKeyId: 'key_1', organizationId: 'org_1', projectId: 'proj_1' });
    expect(caller.buckets.map(({ capacity }) => capacity)).toEqual([7, 1_000_000, 6_000, 9]);
  });

  it('without the scope inference:invoke is 403 permission_denied', async () => {
    const authenticator = authenticatorOf(new KeyTable({ scopes: ['usage:read'] }), new FakeClock());
    const refusal = await refusalOf(authenticator.authenticate(bearer(SECRET), HERE));
    expect(refusal).toMatchObject({ code: 'permission_denied', definition: { status: 403 } });
  });

  it('is authenticated until the very moment its key expires', async () => {
    const clock = new FakeClock();
    const keys = new KeyTable({ expiresAt: new Date(clock.now() + 1_000) });
    const authenticator = authenticatorOf(keys, clock);
    clock.advance(999);
    await authenticator.authenticate(bearer(SECRET), HERE);
    clock.advance(1);
    expect(await refusalOf(authenticator.authenticate(bearer(SECRET), HERE))).toMatchObject({
      code: 'invalid_api_key',
    });
  });
});

describe('a valid key beside another credential', () => {
  const beside = (authorization: string, refusal: GatewayError | null = null) => {
    const refuse = () => (refusal === null ? Promise.resolve() : Promise.reject(refusal));
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock(), { refuseAccessToken: refuse });
    return authenticator.authenticate({ authorization, 'x-api-key': SECRET }, HERE);
  };

  it.each([
    ['of a vendor', 'Bearer sk-ant-oat01-secret', null],
    ['of another scheme', 'Basic dXNlcjpw', null],
    ['of another issuer', 'Bearer a.b.c', new GatewayError('invalidToken', 'not ours')],
    ['that is the same', `Bearer ${SECRET}`, null],
  ])('%s decides', async (_, authorization, refusal) => {
    expect(await beside(authorization, refusal)).toMatchObject({ apiKeyId: 'key_1' });
  });

  it.each([
    ['another key', `Bearer ${UNKNOWN}`, null],
    ['an access token', 'Bearer a.b.c', new GatewayError('insufficientScope', 'ours')],
    ['a revoked access token', 'Bearer a.b.c', new GatewayError('tokenRevoked', 'ours')],
  ])('that is ours too, %s, is 401', async (_, authorization, refusal) => {
    expect(await refusalOf(beside(authorization, refusal))).toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('the use of a key', () => {
  const usesBy = async (headers: CredentialHeaders, changes: Partial<ApiKeyRecord> = {}) => {
    const uses: string[] = [];
    const keys = new KeyTable(changes);
    const authenticator = authenticatorOf(keys, new FakeClock(), {
      noteKeyUse: (keyId) => void uses.push(keyId),
    });
    for (let call = 0; call < 2; call++)
      await authenticator.authenticate(headers, HERE).catch(() => undefined);
    return uses;
  };

  it('is noted at every call that is authenticated, and at no other', async () => {
    expect(await usesBy(bearer(SECRET))).toEqual(['key_1', 'key_1']);
    expect(await usesBy(bearer(UNKNOWN))).toEqual([]);
    expect(await usesBy(bearer(SECRET), { state: 'revoked' })).toEqual([]);
  });
});

describe('an invalid credential', () => {
  const clock = new FakeClock();
  const past = new Date(clock.now() - 1);
  const refusals = (): Promise<GatewayError[]> =>
    Promise.all(
      (
        [
          [{}, {}],
          [{}, bearer('not-a-key')],
          [{}, bearer(UNKNOWN)],
          [{}, { 'x-api-key': UNKNOWN }],
          [{ state: 'revoked' }, bearer(SECRET)],
          [{ expiresAt: past }, bearer(SECRET)],
          [{ organizationState: 'suspended' }, bearer(SECRET)],
          // A revoked key must not reveal its scopes.
          [{ state: 'revoked', scopes: [] }, bearer(SECRET)],
        ] satisfies [Partial<ApiKeyRecord>, CredentialHeaders][]
      ).map(([changes, headers]) =>
        refusalOf(authenticatorOf(new KeyTable(changes), clock).authenticate(headers, HERE)),
      ),
    );

  it('is answered alike, whether missing, malformed, unknown, revoked, expired or of a suspended organization', async () => {
    const told = (await refusals()).map(({ message, code, param, definition }) => ({
      message,
      code,
      param,
      definition,
    }));
    for (const answer of told) expect(answer).toEqual(told[0]);
    expect(told[0]).toMatchObject({ code: 'invalid_api_key', definition: { status: 401 } });
  });

  it('that is malformed costs no lookup', async () => {
    const keys = new KeyTable();
    await refusalOf(authenticatorOf(keys, clock).authenticate(bearer('svc_sk_short'), HERE));
    expect(keys.lookups).toBe(0);
  });
});

describe('a refusal', () => {
  it.each<[string, Partial<ApiKeyRecord>, string]>([
    ['that was revoked', { state: 'revoked' }, 'invalid_api_key'],
    ['that has expired', { expiresAt: new Date(0) }, 'invalid_api_key'],
    ['that may not call models', { scopes: ['usage:read'] }, 'permission_denied'],
  ])('of a key %s is noted with the key', async (_, changes, code) => {
    const noted: unknown[] = [];
    const note = (key: object, refusal: GatewayError) => void noted.push({ ...key, code: refusal.code });
    const keys = new KeyTable({ projectId: 'proj_1', ...changes });
    const authenticator = authenticatorOf(keys, new FakeClock(), { noteRefusal: note });
    await refusalOf(authenticator.authenticate(bearer(SECRET), HERE));
    expect(noted).toEqual([{ organizationId: 'org_1', projectId: 'proj_1', apiKeyId: 'key_1', code }]);
  });

  it('of an unknown key is not noted, nor is a call that is let in', async () => {
    const noted: unknown[] = [];
    const note = (key: object) => void noted.push(key);
    const authenticator = authenticatorOf(new KeyTable(), new FakeClock(), { noteRefusal: note });
    await refusalOf(authenticator.authenticate(bearer(UNKNOWN), HERE));
    await authenticator.authenticate(bearer(SECRET), HERE);
    expect(noted).toEqual([]);
  });
});

describe('a key that some addresses may show', () => {
  const at = (remoteAddress: string): RequestOrigin => ({ headers: {}, socket: { remoteAddress } });
  const refusedAt = async (address: string, changes: Partial<ApiKeyRecord> = {}) => {
    const told: unknown[] = [];
    const allowedAddresses = addressListOf(['192.0.2.0/24', '2001:db8::/32']);
    const authenticator = authenticatorOf(new KeyTable({ allowedAddresses, ...changes }), new FakeClock(), {
      noteKeyUse: () => void told.push('used'),
      noteRefusal: (_, { code }) => void told.push(code),
      noteAddressRefusal: ({ id }, refused) => void told.push([id, refused]),
    });
    const answer = authenticator.authenticate(bearer(SECRET), at(address)).then(() => null);
    return { refusal: await answer.catch((refusal: GatewayError) => refusal), told };
  };

  it.each(['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::9'])('is let in from %s', async (address) => {
    expect(await refusedAt(address)).toEqual({ refusal: null, told: ['used'] });
  });

  it.each(['192.0.3.9', '2001:db9::9', '192.0.2.9:80', 'fe80::1%eth0', ''])(
    'is refused from %j as a dead key is, which is noted as that alone',
    async (address) => {
      const { refusal, told } = await refusedAt(address);
      const dead = await refusedAt('192.0.2.9', { state: 'revoked' });
      expect(refusal).toEqual(dead.refusal);
      expect(told).toEqual([['key_1', address]]);
    },
  );

  it('is refused from everywhere with an empty list', async () => {
    const { refusal } = await refusedAt('192.0.2.9', { allowedAddresses: [] });
    expect(refusal).toMatchObject({ code: 'invalid_api_key' });
  });

  it('reveals elsewhere neither its scopes nor that it is dead', async () => {
    const { refusal, told } = await refusedAt('192.0.3.9', { scopes: ['usage:read'] });
    expect(refusal).toMatchObject({ code: 'invalid_api_key' });
    expect(told).toEqual([['key_1', '192.0.3.9']]);
    expect((await refusedAt('192.0.3.9', { state: 'revoked' })).told).toEqual(['invalid_api_key']);
  });
});

describe('lookups', () => {
  it.each([
    ['a known key', SECRET],
    ['an unknown key', UNKNOWN],
  ])('of %s are one for 100 calls at once, and none for the next', async (_, secret) => {
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock());
    const call = () => authenticator.authenticate(bearer(secret), HERE).catch(() => null);
    await Promise.all(Array.from({ length: 100 }, call));
    await call();
    expect(keys.lookups).toBe(1);
  });

  it('that fail are not cached: the next call looks the key up again', async () => {
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock());
    keys.failing = true;
    await expect(authenticator.authenticate(bearer(SECRET), HERE)).rejects.toMatchObject({
      reason: 'overloaded',
      cause: { message: 'Connection terminated unexpectedly' },
    });
    keys.failing = false;
    expect(await authenticator.authenticate(bearer(SECRET), HERE)).toMatchObject({ apiKeyId: 'key_1' });
  });

  it('accept a revoked key for 10 s at most', async () => {
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock());
    await authenticator.authenticate(bearer(SECRET), HERE);
    keys.record = { ...activeKey, state: 'revoked' };
    await moveMonotonicClock(9_000);
    await authenticator.authenticate(bearer(SECRET), HERE);
    await moveMonotonicClock(1_100);
    expect(await refusalOf(authenticator.authenticate(bearer(SECRET), HERE))).toMatchObject({
      code: 'invalid_api_key',
    });
    expect(keys.lookups).toBe(2);
  });

  it('apply a new limit of a key within 10 s', async () => {
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock());
    await authenticator.authenticate(bearer(SECRET), HERE);
    keys.record = { ...activeKey, rateLimitRpm: 3 };
    await moveMonotonicClock(10_100);
    const { buckets } = await authenticator.authenticate(bearer(SECRET), HERE);
    expect(buckets[0]).toMatchObject({ unit: 'requests', capacity: 3 });
  });
});

describe('a change', () => {
  const keySha256 = apiKeyHashText(SECRET);
  it.each<[string, boolean, Change]>([
    ['of the key', true, { of: 'apiKey', organizationId: 'org_1', keySha256 }],
    ['of its organization', true, { of: 'organization', organizationId: 'org_1' }],
    ['of anything', true, { of: 'anything' }],
    ['of another key', false, { of: 'apiKey', organizationId: 'org_1', keySha256: 'other' }],
    ['of its organization’s policy', false, { of: 'policy', organizationId: 'org_1' }],
  ])('%s makes the next call look the key up again: %s', async (_, isLookedUp, change) => {
    const keys = new KeyTable();
    const authenticator = authenticatorOf(keys, new FakeClock());
    await authenticator.authenticate(bearer(SECRET), HERE);
    authenticator.invalidate(change);
    await authenticator.authenticate(bearer(SECRET), HERE);
    expect(keys.lookups).toBe(isLookedUp ? 2 : 1);
  });

  it('that creates a key makes it valid at once, though it was cached as unknown', async () => {
    const keys = new KeyTable();
    const find = (hash: string) => (isMade ? keys.find(hash) : Promise.resolve(null));
    const authenticator = authenticatorOf({ find }, new FakeClock());
    let isMade = false;
    await refusalOf(authenticator.authenticate(bearer(SECRET), HERE));
    isMade = true;
    authenticator.invalidate({ of: 'apiKey', organizationId: 'org_1', keySha256 });
    expect(await authenticator.authenticate(bearer(SECRET), HERE)).toMatchObject({ apiKeyId: 'key_1' });
  });
});

describe('while unknown keys come', () => {
  const afterUnknownKey = async (keys: KeyTable) => {
    const clock = new FakeClock();
    const authenticator = authenticatorOf(keys, clock);
    await refusalOf(authenticator.authenticate(bearer(UNKNOWN), HERE));
    return { authenticator, clock };
  };

  it('one that was looked up is refused early, synchronously, until it is created', async () => {
    const keys = new KeyTable();
    const { authenticator } = await afterUnknownKey(keys);
    expect(authenticator.earlyRefusal(bearer(UNKNOWN))).toMatchObject({ code: 'invalid_api_key' });
    expect(keys.lookups).toBe(1);
    authenticator.invalidate({ of: 'apiKey', organizationId: 'org_1', keySha256: apiKeyHashText(UNKNOWN) });
    await authenticator.earlyRefusal(bearer(UNKNOWN));
    expect(keys.lookups).toBe(2);
  });

  it('another is looked up once and refused early too', async () => {
    const keys = new KeyTable();
    const { authenticator } = await afterUnknownKey(keys);
    const other = () => authenticator.earlyRefusal(bearer(`${UNKNOWN}-2`));
    for (const refusal of await Promise.all([other(), other(), other()])) {
      expect(refusal).toMatchObject({ code: 'invalid_api_key' });
    }
    expect(keys.lookups).toBe(2);
  });

  it('no other call is refused early: neither a valid key, nor a revoked one, nor a call without one', async () => {
    const { authenticator } = await afterUnknownKey(new KeyTable());
    expect(await authenticator.earlyRefusal(bearer(SECRET))).toBeNull();
    expect(authenticator.earlyRefusal({})).toBeNull();
    const revoked = await afterUnknownKey(new KeyTable({ state: 'revoked' }));
    expect(await revoked.authenticator.earlyRefusal(bearer(SECRET))).toBeNull();
  });

  it('a key whose lookup fails is not refused early', async () => {
    const keys = new KeyTable();
    const { authenticator } = await afterUnknownKey(keys);
    keys.failing = true;
    expect(await authenticator.earlyRefusal(bearer(SECRET))).toBeNull();
  });

  it('calls are checked early, until no unknown key has come for ten seconds', async () => {
    const keys = new KeyTable();
    const { authenticator, clock } = await afterUnknownKey(keys);
    clock.advance(9_999);
    expect(authenticator.earlyRefusal(bearer(UNKNOWN))).not.toBeNull();
    clock.advance(9_999);
    expect(authenticator.earlyRefusal(bearer(UNKNOWN))).not.toBeNull();
    clock.advance(10_000);
    expect(authenticator.earlyRefusal(bearer(UNKNOWN))).toBeNull();
  });
});
