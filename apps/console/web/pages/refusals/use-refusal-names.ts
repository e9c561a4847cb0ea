import { useNames, type NamesById } from '../../api/use-names';
import { type RefusalsAddress } from './list';
import { type Refusal } from './refusal';

export interface RefusalNames {
  readonly keys: NamesById;
  readonly projects: NamesById;
}

/** The names of the keys and projects of the rows, and of those that the address filters by. */
export const useRefusalNames = (
  rows: readonly Refusal[],
  { key, project }: RefusalsAddress,
): RefusalNames => ({
  keys: useNames('/keys', [key, ...rows.map(({ api_key_id: id }) => id)]),
  projects: useNames('/projects', [project, ...rows.map(({ project_id: id }) => id)]),
});
