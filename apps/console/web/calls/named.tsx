import { type ReactElement, type ReactNode } from 'react';
import { type NamesById } from '../api/use-names';
import { Id, Name } from '../ui/text/id';

interface NamedProps {
  readonly id: string;
  readonly names: NamesById;
  /** The effect of a press on it: a link around it. */
  readonly wrap: (shown: ReactNode) => ReactElement;
}

/** A name where the role may read it, otherwise the id. */
export function Named({ id, names, wrap }: NamedProps): ReactElement {
  const name = names.get(id);
  return name === undefined ? <Id id={id} isShort wrap={wrap} /> : wrap(<Name>{name}</Name>);
}
