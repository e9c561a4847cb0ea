import { type Permission } from '../../session/session';
import { type Scope } from './key';
import { scopeWords } from './text';

/** The scopes that somebody with these permissions can give to a key: nobody can give more than they hold. */
export const offeredScopes = (permissions: readonly Permission[]): readonly Scope[] =>
  (Object.keys(scopeWords) as Scope[]).filter((scope) => permissions.includes(scope));
