import { type SnippetOperation } from '../../calls/languages';
import { useRested } from '../../browser/use-rested';
import { useSimulations, type Simulation } from '../../calls/simulation';
import { useCan } from '../../session/organization';
import { text } from './text';

/** The fate of parameters that not every endpoint takes, by their names. */
export type Omitted = ReadonlyMap<string, string>;

/** Asks the planner of calls which parameters the endpoints of the models would omit. Nothing is called. */
export function useOmitted(
  models: readonly string[],
  operation: SnippetOperation,
  names: readonly string[],
): Omitted {
  const canSimulate = useCan('policy:read');
  const joined = useRested(names.join(' '));
  const parameters = joined === '' ? [] : joined.split(' ');
  const calls = models.map((model) => ({
    model,
    operation,
    compat_mode: 'permissive' as const,
    parameters,
  }));
  return omittedOf(useSimulations(calls, canSimulate));
}

function omittedOf(simulations: readonly (Simulation | undefined)[]): Omitted {
  const attempts = simulations.flatMap((simulation) => simulation?.attempts ?? []);
  const names = new Set(attempts.flatMap(({ omitted }) => omitted));
  return new Map(
    [...names].map((name) => {
      const omitting = attempts.filter(({ omitted }) => omitted.includes(name));
      const places = omitting.map(({ endpoint: { provider, region } }) => `${provider} · ${region}`);
      return [
        name,
        omitting.length === attempts.length
          ? text.parameters.omitted
          : text.parameters.omittedAt([...new Set(places)]),
      ];
    }),
  );
}
