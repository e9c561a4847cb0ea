import { type ReactElement } from 'react';
import { Time } from '../ui/text/time';
import { heldBy, type DeliveryRow, type Receiver } from './delivery';
import { text } from './text';

interface DueProps {
  readonly of: Pick<DeliveryRow, 'next_attempt_at' | 'event_type'>;
  /** The state of what receives it; undefined while it is not known. */
  readonly receiver: Receiver['state'] | undefined;
  /** Where no attempt is due. */
  readonly none: string;
}

/** When the next attempt is made, or what it waits for. */
export function Due({ of, receiver, none }: DueProps): ReactElement {
  const { next_attempt_at: at } = of;
  if (at === null) return <>{none}</>;
  const held = heldBy(of, receiver);
  return held === null ? <Time at={at} as="due" /> : <>{text.held[held]}</>;
}
