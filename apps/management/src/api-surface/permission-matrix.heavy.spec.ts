import { askEveryRoute, columnsOf } from '../testing/surface/permission-matrix';
import { ofOrganizations, openSurface, type Surface } from '../testing/surface/surface';

describe('role x permission x route', () => {
  let surface: Surface;
  beforeAll(async () => {
    surface = await openSurface();
  });
  afterAll(() => surface.close());

  it('is 403 exactly where the permission is lacking, for every caller on every route', async () => {
    const organization = await surface.management.newOrganization();
    const columns = await columnsOf(surface, organization);
    const { asked, wrong } = await askEveryRoute(surface, columns, {
      organizationId: organization.id,
      oneOf: 1,
    });
    expect(wrong).toEqual([]);
    expect(asked).toBe(ofOrganizations(surface.document).length * columns.length);
  });
});
