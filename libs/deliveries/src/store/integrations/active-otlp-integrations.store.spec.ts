import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import {
  activeOtlpIntegrations,
  integrationSecretContext,
  type OtlpIntegration,
} from './active-otlp-integrations';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('telemetry goes to enabled integrations of kind otlp only', async () => {
  const { prisma } = test.database;
  const organizationId = systemIds('organization');
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  const otlp = {
    organizationId,
    kind: 'otlp',
    name: 'Traces',
    config: { url: 'https://otlp.example.com', headers: {}, signals: ['traces'], encoding: 'json' },
    secretCiphertext: Uint8Array.of(1),
    eventTypes: [],
  };
  const add = async (change: object) => {
    const id = systemIds('integration');
    await prisma.integration.create({ data: { id, ...otlp, ...change } });
    return id;
  };
  const active = await add({});
  const failing = await add({ state: 'failing', secretCiphertext: null });
  await add({ state: 'paused', enabled: false });
  await add({ deletedAt: new Date() });
  await add({ kind: 'slack' });
  const shown = {
    organizationId,
    url: 'https://otlp.example.com',
    signals: ['traces'],
    encoding: 'json',
  } as const;
  const expected: OtlpIntegration[] = [
    { id: active, ...shown, sealedSecret: Buffer.of(1) },
    { id: failing, ...shown, sealedSecret: null },
  ];
  const byId = (a: OtlpIntegration, b: OtlpIntegration) => (a.id < b.id ? -1 : 1);
  expect(await activeOtlpIntegrations(test.database)).toEqual(expected.sort(byId));
});

it('the secrets of an integration open as those of no other', () => {
  const [one, other] = [systemIds('integration'), systemIds('integration')];
  expect(integrationSecretContext(one)).not.toBe(integrationSecretContext(other));
});
