import { type Transaction, UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { recordEvent } from '@svc/events';
import { createSealer } from '@svc/runtime';
import { credentialContext, ProviderCredentialStore } from './provider-credential-store';

let test: TestDatabase;
let store: ProviderCredentialStore;
const sealer = createSealer(Buffer.alloc(32, 1));
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new ProviderCredentialStore(test.database);
  await test.database.prisma.organization.createMany({
    data: ['org_1', 'org_2'].map((id) => ({ id, name: id })),
  });
});
afterEach(() => test.close());

const keep = (id: string, provider: string, state = 'active', organizationId = 'org_1') =>
  test.database.prisma.providerCredential.create({
    data: {
      id,
      organizationId,
      provider,
      label: id,
      secretCiphertext: Uint8Array.from(sealer.seal(Buffer.from(`secret of ${id}`), credentialContext(id))),
      last4: '1234',
      state,
    },
  });

describe('the active credentials of an organization', () => {
  it('are its own, of each provider the newest first, and open to the secret', async () => {
    await keep('cred_1', 'acme');
    await keep('cred_2', 'acme');
    await keep('cred_3', 'other');
    await keep('cred_4', 'acme', 'active', 'org_2');
    const found = await store.activeFor('org_1');
    expect(
      found.map(({ id, provider, sealedSecret }) => [
        provider,
        sealer.open(sealedSecret, credentialContext(id)).toString(),
      ]),
    ).toEqual([
      ['acme', 'secret of cred_2'],
      ['acme', 'secret of cred_1'],
      ['other', 'secret of cred_3'],
    ]);
  });

  it.each(['disabled', 'revoked', 'compromised'])('are none that is %s', async (state) => {
    await keep('cred_1', 'acme');
    await keep('cred_2', 'acme', state);
    expect(await store.activeFor('org_1')).toMatchObject([{ id: 'cred_1' }]);
  });
});

describe('a change of a credential', () => {
  const changing = <T>(work: (tx: Transaction) => Promise<T>) =>
    new UnitOfWork(test.database).transaction(work);
  const active = async () => (await store.activeFor('org_1'))[0];

  it('leaves what it does not name, and takes a limit away', async () => {
    await keep('cred_1', 'acme');
    expect(await active()).toMatchObject({ weight: 100, rateLimitRpm: null, rateLimitTpm: null });
    await changing((tx) => store.updateCredential(tx, 'cred_1', { weight: 0, rateLimitRpm: 60 }));
    await changing((tx) => store.updateCredential(tx, 'cred_1', { label: 'Spare', rateLimitTpm: 9 }));
    expect(await active()).toMatchObject({ weight: 0, rateLimitRpm: 60, rateLimitTpm: 9 });
    const changed = await changing((tx) => store.updateCredential(tx, 'cred_1', { rateLimitRpm: null }));
    expect(changed).toMatchObject({ label: 'Spare', weight: 0, rateLimitRpm: null, rateLimitTpm: 9 });
  });

  it('begins another epoch of its health with a new secret, and when it is enabled', async () => {
    await keep('cred_1', 'acme');
    const secret = { sealedSecret: Buffer.from('sealed'), last4: null };
    await changing((tx) => store.rotateCredential(tx, 'cred_1', secret, new Date()));
    expect(await active()).toMatchObject({ healthEpoch: 1 });
    await changing((tx) => store.enableCredential(tx, 'cred_1'));
    expect(await active()).toMatchObject({ healthEpoch: 2 });
  });

  it('counts the active ones of a provider', async () => {
    await keep('cred_1', 'acme');
    await keep('cred_2', 'acme', 'disabled');
    await keep('cred_3', 'other');
    await keep('cred_4', 'acme', 'active', 'org_2');
    expect(await changing((tx) => store.lockActiveCount(tx, 'org_1', 'acme'))).toBe(1);
  });
});

describe('the credentials that an organization administers', () => {
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

  it('are its own, newest first, all or those asked for, and never show a secret', async () => {
    await keep('cred_1', 'acme');
    await keep('cred_2', 'other', 'disabled');
    await keep('cred_3', 'acme', 'disabled');
    await keep('cred_4', 'acme', 'active', 'org_2');
    const page = { limit: 2, before: null };
    const all = await store.listCredentials('org_1', page, {});
    expect([idsOf(all.items), all.hasMore]).toEqual([['cred_3', 'cred_2'], true]);
    expect(Object.keys(all.items[0]!)).not.toContain('secretCiphertext');
    expect(idsOf((await store.listCredentials('org_1', { limit: 2, before: 'cred_2' }, {})).items)).toEqual([
      'cred_1',
    ]);
    expect(idsOf((await store.listCredentials('org_1', page, { provider: 'acme' })).items)).toEqual([
      'cred_3',
      'cred_1',
    ]);
    expect(
      idsOf((await store.listCredentials('org_1', page, { provider: 'acme', state: 'disabled' })).items),
    ).toEqual(['cred_3']);
    expect(await store.findCredential('org_1', 'cred_4')).toBeNull();
  });

  it('lock one: a second change waits, and meets what the first left', async () => {
    await keep('cred_1', 'acme');
    const unitOfWork = new UnitOfWork(test.database);
    const disableOnce = () =>
      unitOfWork.transaction(async (tx) => {
        const before = await store.lockCredential(tx, 'org_1', 'cred_1');
        if (before?.state === 'active') await store.setState(tx, 'cred_1', 'disabled');
        return before?.state;
      });
    const met = await Promise.all(Array.from({ length: 5 }, disableOnce));
    expect(met.filter((state) => state === 'active')).toHaveLength(1);
  });
});

describe('an auth failure', () => {
  it('is in the outbox once, however many processes tell of it at once', async () => {
    await keep('cred_1', 'acme');
    const event = recordEvent('evt_1', 'credential.auth_failed', 'org_1', 0, {
      credential_id: 'cred_1',
      provider: 'acme',
      status: 401,
    });
    const refused = { credentialId: 'cred_1', at: new Date(Date.UTC(2026, 0, 1)) };
    const recorded = await Promise.all(
      Array.from({ length: 20 }, () => store.recordAuthFailure(event, refused)),
    );
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect(await test.database.prisma.outboxEvent.findMany()).toMatchObject([
      { id: 'evt_1', payload: event.payload, publishedAt: null },
    ]);
    expect(await store.findCredential('org_1', 'cred_1')).toMatchObject({ lastAuthFailedAt: refused.at });
  });

  it('leaves the credential of another organization alone, and does not go back in time', async () => {
    await keep('cred_1', 'acme');
    const event = (id: `evt_${string}`, organizationId: `org_${string}`) =>
      recordEvent(id, 'credential.auth_failed', organizationId, 0, {
        credential_id: 'cred_1',
        provider: 'acme',
        status: 401,
      });
    const [early, late] = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 0, 2))];
    await store.recordAuthFailure(event('evt_1', 'org_1'), { credentialId: 'cred_1', at: late });
    await store.recordAuthFailure(event('evt_2', 'org_1'), { credentialId: 'cred_1', at: early });
    await store.recordAuthFailure(event('evt_3', 'org_2'), { credentialId: 'cred_1', at: new Date() });
    expect(await store.findCredential('org_1', 'cred_1')).toMatchObject({ lastAuthFailedAt: late });
  });
});
