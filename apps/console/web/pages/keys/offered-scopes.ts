import { permissionWords } from '../../session/permission-words';
import { type Permission } from '../../session/session';
import { type Scope } from './key';

/** These are for people: a key cannot have them. */
const ofPeople: readonly Permission[] = ['approval:write', 'approval:decide'];

/** The scopes that somebody with these permissions can give to a key: nobody can give more than they hold. */
export const offeredScopes = (permissions: readonly Permission[]): readonly Scope[] =>
  (Object.keys(permissionWords) as Permission[]).filter(
    (permission): permission is Scope => permissions.includes(permission) && !ofPeople.includes(permission),
  );
