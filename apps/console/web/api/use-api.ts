import { type UseQueryResult } from '@tanstack/react-query';
import { useOrganization } from '../session/organization';
import {
  organizationApi,
  type OrganizationApi,
  type ReadAnswer,
  type ReadInit,
  type ReadPath,
} from './client';
import { queryClient } from './query-client';
import {
  queryOf,
  useReadOf,
  useWriteOf,
  type ReadOptions,
  type Source,
  type Write,
  type WriteOptions,
} from './reads-and-writes';

export { type ReadOptions, type Write, type WriteOptions } from './reads-and-writes';

/** The API of the organization in the address. */
export const useApi = (): OrganizationApi => organizationApi(useOrganization().id);

/** Reads a resource of the organization: `useRead('/keys', { params: { query: { limit: 50 } } })`. */
export function useRead<P extends ReadPath>(
  path: P,
  init: ReadInit<P>[0],
  options?: ReadOptions<ReadAnswer<P>>,
): UseQueryResult<ReadAnswer<P>> {
  return useReadOf(sourceOf(useOrganization().id, path, init), options);
}

/** Begins to read what a page will read with `useRead`, before the page is drawn. What fails is read again there. */
export function readAhead<P extends ReadPath>(organizationId: string, path: P, init: ReadInit<P>[0]): void {
  void queryClient.prefetchQuery(queryOf(sourceOf(organizationId, path, init)));
}

function sourceOf<P extends ReadPath>(id: string, path: P, init: ReadInit<P>[0]): Source<ReadAnswer<P>> {
  const call = organizationApi(id).get as (path: P, init: object) => Promise<ReadAnswer<P>>;
  return { owner: id, path, init, read: (signal) => call(path, { ...init, signal }) };
}

/** A write of the organization. Nothing is shown as done before the API has said so. */
export function useWrite<Input, Data>(
  send: (api: OrganizationApi, input: Input) => Promise<Data>,
  options: WriteOptions<Data>,
): Write<Input, Data> {
  const api = useApi();
  return useWriteOf(useOrganization().id, (input: Input) => send(api, input), options);
}
