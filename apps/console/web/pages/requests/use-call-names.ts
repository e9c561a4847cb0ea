import { useNames, type NamesById } from '../../api/use-names';

export interface CallNames {
  readonly keys: NamesById;
  readonly projects: NamesById;
}

/** Keys and projects by their ids, as a call has them. */
interface Named {
  readonly api_key_id: string;
  readonly project_id: string | null;
}

/** The names of the keys and projects of calls, and of those that the address filters by. */
export const useCallNames = (
  calls: readonly Named[],
  filter: { readonly key?: readonly string[]; readonly project?: readonly string[] } = {},
): CallNames => ({
  keys: useNames('/keys', [...(filter.key ?? []), ...calls.map(({ api_key_id: id }) => id)]),
  projects: useNames('/projects', [...(filter.project ?? []), ...calls.map(({ project_id: id }) => id)]),
});
