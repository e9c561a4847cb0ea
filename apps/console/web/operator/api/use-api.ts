import { type UseQueryResult } from '@tanstack/react-query';
import { type PathsWithMethod } from 'openapi-typescript-helpers';
import { type components, type paths } from '../../api/generated/management';
import { useReadOf, type ReadOptions } from '../../api/reads';
import { apiBelow, type Answer, type Api, type Init, type QueryOf } from '../../api/typed-client';
import { useWriteOf, type Write, type WriteOptions } from '../../api/writes';
import { transport } from './transport';

const ROOT = '/platform/v1';
const OWNER = 'operator';

/** Resources of the operator, by their path below `/platform/v1`. */
type OperatorPaths = {
  [P in keyof paths as P extends `${typeof ROOT}${infer Rest}` ? Rest : never]: paths[P];
};
export type ReadPath = PathsWithMethod<OperatorPaths, 'get'>;
export type ReadQuery<P extends ReadPath> = QueryOf<OperatorPaths, P>;
export type OperatorApi = Api<OperatorPaths>;
export type Schemas = components['schemas'];

const api: OperatorApi = apiBelow<OperatorPaths>(ROOT, transport);

/** Reads of the operator API: `useRead('/organizations', { params: { query: { limit: 50 } } })`. */
export function useRead<P extends ReadPath>(
  path: P,
  init: Init<OperatorPaths, P, 'get'>[0],
  options?: ReadOptions<Answer<OperatorPaths, P, 'get'>>,
): UseQueryResult<Answer<OperatorPaths, P, 'get'>> {
  const call = api.get as (path: P, init: object) => Promise<Answer<OperatorPaths, P, 'get'>>;
  const read = (signal: AbortSignal) => call(path, { ...init, signal });
  return useReadOf({ owner: OWNER, path, init, read }, options);
}

/** A write of the operator API. Nothing is shown as done before the API has said so. */
export const useWrite = <Input, Data>(
  send: (api: OperatorApi, input: Input) => Promise<Data>,
  options: WriteOptions<Data>,
): Write<Input, Data> => useWriteOf(OWNER, (input: Input) => send(api, input), options);
