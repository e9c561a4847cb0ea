import { SealedValues } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { signingSecretContext } from '@svc/deliveries/store';
import { createSealer, type MasterKey } from '@svc/runtime';
import { newSigningKey } from '@svc/access/access-tokens';
import { SigningKeyStore } from '@svc/access/store';
import { answerContext } from '@svc/ledger/store';
import { credentialContext } from '@svc/policy/store';
import { eventually } from '@svc/testing';
import { sealedColumns } from './sealed-columns';

const [OLD, NEW, STRANGE] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
/** The master key of each service in the steps of docs/rotate-keys.md. */
const steps: Readonly<Record<string, MasterKey>> = {
  before: OLD,
  first: [OLD, NEW],
  second: [NEW, OLD],
  after: NEW,
};

let test: TestDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
  await test.database.prisma.organization.create({ data: { id: 'org_1', name: 'Acme' } });
});
afterEach(() => test.close());

/** A process with that key, which stores and reads values. */
function processWith(masterKey: MasterKey) {
  const { prisma } = test.database;
  const sealer = createSealer(masterKey);
  const keys = new SigningKeyStore(test.database, sealer);
  const sealed = (text: string, context: string) => Uint8Array.from(sealer.seal(Buffer.from(text), context));
  return {
    turnSigningKeys: () => keys.rotateKeys(newSigningKey),
    storeCredential: async (id: string) => {
      const secretCiphertext = sealed(`secret of ${id}`, credentialContext(id));
      const data = {
        id,
        organizationId: 'org_1',
        provider: 'acme',
        label: id,
        last4: '1234',
        secretCiphertext,
      };
      await prisma.providerCredential.create({ data });
    },
    storeEndpoint: async (id: string) => {
      const context = signingSecretContext(id);
      await prisma.webhookEndpoint.create({
        data: {
          id,
          organizationId: 'org_1',
          url: 'https://example.com/',
          secretLast4: '1234',
          secretCiphertext: sealed(`secret of ${id}`, context),
          previousSecretCiphertext: sealed(`previous of ${id}`, context),
          previousSecretExpiresAt: new Date('2026-11-22T16:00:00Z'),
        },
      });
    },
    storeAnswer: async (requestId: string, answer = `answer of ${requestId}`) => {
      await prisma.idempotencyClaim.create({
        data: {
          organizationId: 'org_1',
          key: `key of ${requestId}`,
          requestId,
          fingerprintSha256: new Uint8Array(32),
          state: 'completed',
          edgeInstanceId: 'edge_1',
          httpStatus: 200,
          responseCiphertext: sealed(answer, answerContext('org_1', requestId)),
          expiresAt: new Date('2026-11-22T16:00:00Z'),
        },
      });
    },
    /** Every value that decrypts, in plain text. */
    readAll: async () => {
      const open = (bytes: Uint8Array | null, context: string) => sealer.open(bytes!, context).toString();
      const credentials = await prisma.providerCredential.findMany({ orderBy: { id: 'asc' } });
      const endpoints = await prisma.webhookEndpoint.findMany({ orderBy: { id: 'asc' } });
      const claims = await prisma.idempotencyClaim.findMany({ orderBy: { requestId: 'asc' } });
      return {
        signs: Object.keys((await keys.active()).privateJwk).includes('d'),
        credentials: credentials.map(({ id, secretCiphertext }) =>
          open(secretCiphertext, credentialContext(id)),
        ),
        endpoints: endpoints.flatMap((row) =>
          [row.secretCiphertext, row.previousSecretCiphertext].map((secret) =>
            open(secret, signingSecretContext(row.id)),
          ),
        ),
        answers: claims.map(({ requestId, responseCiphertext }) =>
          open(responseCiphertext, answerContext('org_1', requestId)),
        ),
      };
    },
    reseal: (onBatch?: Parameters<SealedValues['reseal']>[0]) =>
      new SealedValues(test.database, sealer, sealedColumns).reseal(onBatch),
  };
}

async function storeSome(masterKey: MasterKey, suffix: string): Promise<void> {
  const service = processWith(masterKey);
  await service.turnSigningKeys();
  await service.storeCredential(`cred_${suffix}`);
  await service.storeEndpoint(`whe_${suffix}`);
  await service.storeAnswer(`req_${suffix}`);
}

it('everything sealed in the database is known', async () => {
  const { rows } = await test.database.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%ciphertext' AND data_type = 'bytea'`,
  );
  const names = (columns: readonly { table: string; column: string }[]) =>
    columns.map(({ table, column }) => `${table}.${column}`).sort();
  expect(names(sealedColumns)).toEqual(names(rows));
});

describe('while one master key takes the place of another', () => {
  it('processes of two neighbouring steps read what either stored', async () => {
    await storeSome(steps['before']!, 'before');
    for (const [one, other] of [
      ['before', 'first'],
      ['first', 'second'],
    ] as const) {
      await storeSome(steps[one]!, `${one}_with_${other}`);
      await storeSome(steps[other]!, `${other}_with_${one}`);
      expect(await processWith(steps[one]!).readAll()).toEqual(await processWith(steps[other]!).readAll());
    }
    await processWith(steps['second']!).reseal();
    await storeSome(steps['second']!, 'second_with_after');
    await storeSome(steps['after']!, 'after_with_second');
    expect(await processWith(steps['second']!).readAll()).toEqual(
      await processWith(steps['after']!).readAll(),
    );
  });

  it('everything is sealed again once, and the old key is needed no more', async () => {
    await storeSome(OLD, 'old');
    const plain = await processWith(OLD).readAll();
    const service = processWith(steps['second']!);
    const first = await service.reseal();
    expect(first).toMatchObject({ resealedCount: 6, unopened: [] });
    expect(await service.reseal()).toEqual({ ...first, resealedCount: 0 });
    expect(await processWith(NEW).readAll()).toEqual(plain);
    await expect(processWith(OLD).readAll()).rejects.toThrow('does not open');
  });

  it('a walk that was cut off is begun again, over more rows and bytes than one batch', async () => {
    const old = processWith(OLD);
    await old.turnSigningKeys();
    const requestIds = Array.from({ length: 1_203 }, (_, at) => `req_${String(at).padStart(4, '0')}`);
    for (let at = 0; at < 1_200; at += 100) {
      await Promise.all(requestIds.slice(at, at + 100).map((requestId) => old.storeAnswer(requestId)));
    }
    const large = 'x'.repeat(5_000_000);
    for (const requestId of requestIds.slice(-3)) await old.storeAnswer(requestId, large);
    const service = processWith(steps['second']!);
    const cutOff = service.reseal((column, seenCount) => {
      if (column.startsWith('idempotency') && seenCount === 1_000) throw new Error('killed');
    });
    await expect(cutOff).rejects.toThrow('killed');
    const seen: number[] = [];
    const rest = await service.reseal((column, seenCount) => {
      if (column.startsWith('idempotency')) seen.push(seenCount);
    });
    expect(rest).toMatchObject({ seenCount: 1_205, resealedCount: 203 });
    expect(seen).toEqual([500, 1_000, 1_202, 1_203]);
    const { answers } = await processWith(NEW).readAll();
    expect(answers.slice(0, 2)).toEqual(['answer of req_0000', 'answer of req_0001']);
    expect(answers.at(-1)).toBe(large);
  });

  it('a value that is changed meanwhile stays as it was changed to', async () => {
    await storeSome(OLD, '1');
    const changed = createSealer(NEW).seal(Buffer.from('changed'), credentialContext('cred_1'));
    const other = await test.database.connectAlone();
    await other.query('BEGIN');
    await other.query('UPDATE provider_credentials SET secret_ciphertext = $1', [changed]);
    const resealing = processWith(steps['second']!).reseal();
    await eventually(async () => {
      const waiting = await test.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting.rowCount).toBe(1);
    });
    await other.query('COMMIT');
    await resealing;
    expect((await processWith(NEW).readAll()).credentials).toEqual(['changed']);
  });
});

it('what no key opens is reported by table and id, never by content, and holds up nothing', async () => {
  await storeSome(OLD, '1');
  const stranger = processWith(STRANGE);
  await stranger.storeCredential('cred_0');
  await stranger.storeAnswer('req_0');
  const { resealedCount, unopened } = await processWith(steps['second']!).reseal();
  expect(resealedCount).toBe(6);
  expect(unopened).toEqual([
    { table: 'provider_credentials', column: 'secret_ciphertext', id: 'cred_0' },
    { table: 'idempotency_claims', column: 'response_ciphertext', id: 'org_1/req_0' },
  ]);
});
