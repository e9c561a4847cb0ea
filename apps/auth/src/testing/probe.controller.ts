import { z } from 'zod';
import { Act, Resource, type Call } from '@svc/api';
import { type Permission, type Scope } from '@svc/access';

const answer = z
  .object({ organization_id: z.string(), user_id: z.string().nullable() })
  .meta({ id: 'Probe' });
const probe = (permission: Permission, scope: Scope | null) => ({
  summary: 'A probe.',
  permission,
  scope,
  answer,
});

/** Routes with the permissions and scopes of those of the management API, which is another app. */
@Resource({ path: 'probe', one: 'Probe', many: 'Probes', tag: 'Probes', description: 'For specs.' })
export class ProbeController {
  @Act('usage', probe('usage:read', 'usage:read'))
  async usage({ caller }: Call) {
    return this.tell({ caller });
  }

  @Act('requests', probe('usage:read', 'requests:read'))
  async requests({ caller }: Call) {
    return this.tell({ caller });
  }

  @Act('wallet', probe('wallet:read', 'wallet:read'))
  async wallet({ caller }: Call) {
    return this.tell({ caller });
  }

  @Act('projects', probe('project:write', 'projects:write'))
  async projects({ caller }: Call) {
    return this.tell({ caller });
  }

  @Act('keys', probe('key:create', null))
  async keys({ caller }: Call) {
    return this.tell({ caller });
  }

  private tell({ caller: { organizationId, userId } }: Pick<Call, 'caller'>) {
    return Promise.resolve({ organization_id: organizationId, user_id: userId });
  }
}
