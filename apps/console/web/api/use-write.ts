import { useOrganization } from '../session/organization';
import { type OrganizationApi } from './client';
import { useApi } from './use-api';
import { useWriteOf, type Write, type WriteOptions } from './writes';

/** A write of the organization. Nothing is shown as done before the API has said so. */
export function useWrite<Input, Data>(
  send: (api: OrganizationApi, input: Input) => Promise<Data>,
  options: WriteOptions<Data>,
): Write<Input, Data> {
  const api = useApi();
  return useWriteOf(useOrganization().id, (input: Input) => send(api, input), options);
}
