import { type IncomingMessage } from 'node:http';

/** The path of a request, without its query. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
