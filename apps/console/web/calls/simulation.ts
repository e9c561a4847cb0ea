import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type components } from '../api/generated/management';
import { useApi } from '../api/use-api';
import { useOrganization } from '../session/organization';

export type Simulation = components['schemas']['PolicySimulation'];
type Policy = components['schemas']['NewPolicySimulation']['policy'];

/** As long as somebody pauses who types. */
const PAUSE_MS = 300;

export interface SimulatedCall {
  readonly model: string;
  readonly operation?: 'chat_completions' | 'messages' | 'responses' | 'embeddings' | undefined;
  readonly compat_mode: 'permissive' | 'strict';
  readonly parameters: readonly string[];
}

/** A value as it was when it last rested. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/**
 * What the call does under the policy; with null, what the policy changes for the models of the catalog.
 * @param policy a draft; undefined for the policy in force.
 */
export function useSimulation(
  policy: Policy,
  call: SimulatedCall | null,
  enabled = true,
): UseQueryResult<Simulation> {
  const api = useApi();
  const { id } = useOrganization();
  const question = { ...(policy && { policy }), ...(call && { ...call, parameters: [...call.parameters] }) };
  return useQuery<Simulation>({
    // Below `/policy`, so that a written version has it asked again: the draft is compared with what is in force.
    queryKey: [id, '/policy/simulate', question],
    queryFn: ({ signal }) => api.post('/policy/simulate', { body: question, signal }),
    enabled,
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
