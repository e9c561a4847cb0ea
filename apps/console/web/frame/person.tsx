import { type ReactElement } from 'react';
import { type People } from '../api/use-people';
import { Id, Name } from '../ui/text/id';

interface PersonProps {
  readonly id: string;
  readonly people: People;
}

/** Somebody by their address; by their id where the role may not read members, or the person has left. */
export function Person({ id, people }: PersonProps): ReactElement {
  const email = people.get(id);
  return email === undefined ? <Id id={id} isShort /> : <Name>{email}</Name>;
}
