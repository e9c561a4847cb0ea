import { apiErrorOf, UnreachableError } from '../../api/api-error';
import { tokenStore } from '../session/token-store';

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * Every call of the operator's console. A token that is refused is forgotten, and asked for again: reads wait for it, writes
 * fail and are never sent again.
 * @throws ApiError for an answer that is no success; UnreachableError without an answer.
 */
export async function transport(call: Request): Promise<Response> {
  for (;;) {
    const token = await tokenStore.live();
    const response = await send(call.clone(), token);
    if (response.ok) return response;
    const error = await apiErrorOf(response);
    if (error.status !== 401) throw error;
    tokenStore.end('refused', token);
    if (!isRead(call)) throw error;
  }
}

/** @throws ApiError 401 where it is not the operator's; UnreachableError. */
export async function checkToken(token: string): Promise<void> {
  const response = await send(new Request('/platform/v1/audit-log?limit=1'), token);
  if (!response.ok) throw await apiErrorOf(response);
}

/** The session's cookie of the console stays behind, and no redirect takes the token elsewhere. */
async function send(call: Request, token: string): Promise<Response> {
  const headers = new Headers(call.headers);
  headers.set('Authorization', `Bearer ${token}`);
  try {
    return await fetch(
      new Request(call, {
        headers,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      }),
    );
  } catch (cause) {
    if (call.signal.aborted) throw cause;
    throw new UnreachableError('The service cannot be reached.', { cause });
  }
}
