import { type Session } from '../session/session';
import { sessionStore } from '../session/session-store';
import { ApiError, apiErrorOf, UnreachableError } from './api-error';
import { APPROVAL_REASON_HEADER, approvalReason } from './approval-reason';
import { parseExact, stringifyExact } from './exact-json';

const CSRF_HEADER = 'X-CSRF-Token';
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * Every call of the console but those of the playground's key. A write carries the session's CSRF token. A session that
 * has ended is reported once; reads wait until its user has logged in again, writes fail and are never sent again.
 * @throws ApiError for an answer that is no success; UnreachableError without an answer.
 */
export async function transport(call: Request): Promise<Response> {
  for (;;) {
    await sessionStore.live();
    const { csrf_token: csrfToken } = sessionStore.get().session;
    const response = await sendWithCsrf(call);
    if (response.ok || response.status === 304) return response;
    const error = await apiErrorOf(response);
    // The role may have changed; the organization of who is no longer a member is answered with 404.
    if (error.status === 404 || (error.status === 403 && error.param !== CSRF_HEADER)) void refreshSession();
    if (error.status !== 401) throw error;
    sessionStore.end(csrfToken);
    if (!isRead(call)) throw error;
  }
}

async function sendWithCsrf(call: Request): Promise<Response> {
  if (isRead(call)) return send(call.clone());
  const response = await send(withCsrf(call));
  if (response.status !== 403) return response;
  const { param } = await apiErrorOf(response.clone());
  if (param !== CSRF_HEADER) return response;
  await refreshSession();
  return send(withCsrf(call));
}

/** A write that waits for approval has why it is wanted, too. */
function withCsrf(call: Request): Request {
  const copy = call.clone();
  copy.headers.set(CSRF_HEADER, sessionStore.get().session.csrf_token);
  const reason = approvalReason.header();
  if (reason !== null) copy.headers.set(APPROVAL_REASON_HEADER, reason);
  return copy;
}

async function send(call: Request): Promise<Response> {
  try {
    return await fetch(call);
  } catch (cause) {
    if (call.signal.aborted) throw cause;
    throw new UnreachableError('The service cannot be reached.', { cause });
  }
}

/** Reads the session again: the role may have changed. Failing leaves it as it was; a call that needs it will tell. */
export async function refreshSession(): Promise<void> {
  try {
    sessionStore.begin(await readSession());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) sessionStore.end();
  }
}

/** @throws ApiError 401 without a session; UnreachableError. */
export async function readSession(): Promise<Session> {
  return sessionOf(await send(new Request('/auth/session', { cache: 'no-store' })));
}

/** @throws ApiError `invalid_login`, or 429 after too many tries; UnreachableError. */
export async function logIn(email: string, password: string): Promise<Session> {
  const body = stringifyExact({ email, password });
  const headers = { 'Content-Type': 'application/json' };
  return sessionOf(await send(new Request('/auth/login', { method: 'POST', body, headers })));
}

/** @throws ApiError; UnreachableError. */
export async function logOut(): Promise<void> {
  const response = await sendWithCsrf(new Request('/auth/logout', { method: 'POST' }));
  if (!response.ok && response.status !== 401) throw await apiErrorOf(response);
}

async function sessionOf(response: Response): Promise<Session> {
  if (!response.ok) throw await apiErrorOf(response);
  return parseExact(await response.text()) as Session;
}
