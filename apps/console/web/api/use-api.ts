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
import { queryOf, useReadOf, type ReadOptions, type Source } from './reads';

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
