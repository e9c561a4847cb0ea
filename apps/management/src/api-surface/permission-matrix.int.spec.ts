import { type OpenApiOperation } from '@svc/testing';
import { type Client } from '../testing/management-under-test';
import { askEveryRoute, callOf, columnsOf, type Column } from '../testing/surface/permission-matrix';
import { isOperators, ofOrganizations, openSurface, type Surface } from '../testing/surface/surface';

describe('role x permission x route', () => {
  let surface: Surface;
  let columns: readonly Column[];
  let organizationId: string;
  let pristine: number;

  beforeAll(async () => {
    surface = await openSurface();
    const organization = await surface.management.newOrganization();
    organizationId = organization.id;
    columns = await columnsOf(surface, organization);
    pristine = await surface.management.database.prisma.auditEntry.count();
  });
  afterAll(() => surface.close());

  const call = (client: Client, operation: OpenApiOperation, headers?: Record<string, string>) =>
    callOf(organizationId, client, operation, headers);

  // Of every caller: permission-matrix.heavy.spec.ts.
  it('is 403 exactly where the permission is lacking, on every route of the document', async () => {
    const { asked, wrong } = await askEveryRoute(surface, columns, { organizationId, oneOf: 10 });
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(1500);
  });

  it('lets nobody but the operator onto the operator’s routes, and the operator onto no others', async () => {
    const operator = surface.management.client({
      authorization: `Bearer ${surface.management.platformToken}`,
    });
    const [owner, , , , , key] = columns;
    for (const operation of surface.document.operations.filter(isOperators)) {
      expect([operation.operationId, (await call(operator, operation)).status]).not.toContain(401);
      for (const { client } of [owner!, key!])
        expect([operation.operationId, (await call(client, operation)).status]).toContain(401);
    }
    for (const operation of ofOrganizations(surface.document))
      expect([operation.operationId, (await call(operator, operation)).status]).toContain(401);
  });

  it('refuses a write by cookie without its CSRF token on every route', async () => {
    const [owner] = columns;
    for (const operation of ofOrganizations(surface.document).filter(({ method }) => method !== 'GET')) {
      const { status, body } = await call(owner!.client, operation, { 'x-csrf-token': 'of-another' });
      expect([operation.operationId, status, body.error.param]).toEqual([
        operation.operationId,
        403,
        'X-CSRF-Token',
      ]);
    }
  });

  it('was asked without a trace of it in the organization', async () => {
    expect(await surface.management.database.prisma.auditEntry.count()).toBe(pristine);
  });
});
