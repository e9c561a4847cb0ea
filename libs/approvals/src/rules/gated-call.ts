import { type JsonValue } from '@svc/kernel';

/** A call of the management API as it came, so that it can be validated and made again. */
export interface CallInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, JsonValue>>;
  /** The headers that the route reads. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null without one. */
  readonly body: JsonValue;
}

/** A call that a policy may hold back. */
export interface GatedCall {
  /** Method and first path of the route, `POST /api/v1/budgets`: it stays when a release moves code. */
  readonly route: string;
  readonly method: string;
  /** As it was called. */
  readonly path: string;
  readonly input: CallInput;
  /** The body with `"[secret]"` for each secret; null without a body. */
  readonly shownBody: JsonValue;
  /** Why the requester wants it; null where no reason was given. */
  readonly reason: string | null;
}

declare const brand: unique symbol;

/** An approved call that is being made: its change joins a transaction that is open already. */
export interface Execution {
  readonly [brand]: 'execution';
}

/** Whose call it is. */
export interface Requester {
  readonly type: 'user' | 'api_key' | 'oauth_app';
  /** Of the user, the key or the app. */
  readonly id: string;
  /** The user of a session or an access token; for a key the person who made it. */
  readonly userId: string | null;
}

/** An approved call that this process has claimed. */
export interface ApprovedCall {
  readonly id: string;
  readonly organizationId: string;
  readonly requester: Requester;
  /** The id of the HTTP request that asked. */
  readonly requestId: string;
  readonly route: string;
  readonly input: CallInput;
  /** Another claim has a higher number, and makes this one void. */
  readonly fence: bigint;
}

/** Permissions of the requester at this moment; null for one who is gone. */
export type RequesterStanding =
  | { readonly kind: 'api_key'; readonly scopes: readonly string[]; readonly projectId: string | null }
  | { readonly kind: 'user'; readonly role: string }
  | { readonly kind: 'oauth_app'; readonly role: string; readonly scopes: readonly string[] }
  | null;

/** The answer of an executed call. */
export interface ExecutedAnswer {
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly body: JsonValue | undefined;
  /** True where the body has a secret, which the requester may see once. */
  readonly hasSecret: boolean;
}

/** Where approved calls wait to be made. */
export interface ApprovedCallQueue {
  /** Asks whether any call may be made, perhaps of a route that another process serves. */
  isDue(): Promise<boolean>;
  /** @param routes that this process serves. Null if none is due. */
  claim(routes: readonly string[]): Promise<ApprovedCall | null>;
  /**
   * Makes the call's change, its audit entries, events and the end of the request in one transaction. A refusal ends the
   * request as `failed`; trouble of the database is tried again.
   */
  execute(
    call: ApprovedCall,
    make: (execution: Execution, standing: RequesterStanding) => Promise<ExecutedAnswer>,
  ): Promise<void>;
}

export const SECRET_PLACEHOLDER = '[secret]';
