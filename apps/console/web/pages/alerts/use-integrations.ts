import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';

type Integration = components['schemas']['Integration'];

/** More than an organization can have. */
const ALL = 50;

/** Those of the organization; none while they are not known, or where the role may not read them. */
export function useIntegrations(): readonly Integration[] {
  const query = { limit: ALL };
  const { data } = useRead('/integrations', { params: { query } }, { enabled: useCan('integration:read') });
  return data?.data ?? [];
}
