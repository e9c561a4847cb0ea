import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type OrganizationApi } from '../api/client';
import { stringifyExact } from '../api/exact-json';
import { type components } from '../api/generated/management';
import { useApi } from '../api/use-api';
import { type Operation } from '../api/use-catalog';
import { useOrganization } from '../session/organization';

export type Simulation = components['schemas']['PolicySimulation'];
type Question = components['schemas']['NewPolicySimulation'];
type Policy = Question['policy'];
/** Whose calls are asked about, and whose policy the draft takes the place of. Without ids: the organization's. */
export type SimulatedSubject = Pick<Question, 'level' | 'project_id' | 'api_key_id'>;

export interface SimulatedCall {
  readonly model: string;
  readonly operation?: Operation | undefined;
  readonly compat_mode: 'permissive' | 'strict';
  readonly parameters: readonly string[];
}

/**
 * Asks what the call does under the policy; with null, what the policy changes for the models of the catalog.
 * @param policy a draft; undefined for the policy in force.
 */
const simulationQuery = (
  { api, organizationId }: { readonly api: OrganizationApi; readonly organizationId: string },
  policy: Policy,
  call: SimulatedCall | null,
  subject: SimulatedSubject = {},
) => {
  const question = {
    ...subject,
    ...(policy && { policy }),
    ...(call && { ...call, parameters: [...call.parameters] }),
  };
  return {
    // Below `/policy`, so that a written version has it asked again: the draft is compared with what is in force.
    // As text, because a key can hold no `bigint`, as amounts are.
    queryKey: [organizationId, '/policy/simulate', stringifyExact(question)],
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Simulation> =>
      api.post('/policy/simulate', { body: question, signal }),
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  };
};

export function useSimulation(
  policy: Policy,
  call: SimulatedCall | null,
  subject: SimulatedSubject,
  enabled = true,
): UseQueryResult<Simulation> {
  const organization = { api: useApi(), organizationId: useOrganization().id };
  return useQuery<Simulation>({ ...simulationQuery(organization, policy, call, subject), enabled });
}

/** Outcomes of several calls under the policy in force, in their order; undefined while they are not known. */
export function useSimulations(
  calls: readonly SimulatedCall[],
  enabled: boolean,
): readonly (Simulation | undefined)[] {
  const organization = { api: useApi(), organizationId: useOrganization().id };
  return useQueries({
    queries: calls.map((call) => ({ ...simulationQuery(organization, undefined, call), enabled })),
  }).map(({ data }) => data);
}
