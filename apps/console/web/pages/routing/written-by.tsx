import { type ReactElement } from 'react';
import { usePeople } from '../../api/use-people';
import { Person } from '../../frame/person';
import { text } from './text';

/** Who wrote a version: by e-mail address where the role may read members. */
export function WrittenBy({ userId }: { readonly userId: string | null }): ReactElement {
  const people = usePeople();
  return userId === null ? <>{text.version.aKey}</> : <Person id={userId} people={people} />;
}
