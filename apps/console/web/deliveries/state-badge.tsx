import { type ReactElement } from 'react';
import { Badge } from '../ui/badge/badge';
import { type AnyDelivery, type Receiver } from './delivery';
import { stateWords, statusWords, text } from './text';

import styles from './deliveries.module.css';

const stateTones = { active: 'good', failing: 'warn', paused: 'neutral', disabled: 'bad' } as const;
const statusTones = { queued: 'accent', succeeded: 'good', failed: 'warn', dead: 'bad' } as const;

/** The state in words, with its cause: `Disabled · 25 failures in a row`. */
export function ReceiverState({ of }: { readonly of: Receiver }): ReactElement {
  const { state, consecutive_failures: failures } = of;
  const note = text.stateNotes[state];
  return (
    <>
      <Badge tone={stateTones[state]}>{stateWords[state]}</Badge>
      {failures > 0 && <span className={styles.note}>{text.inARow(failures)}.</span>}
      {note !== null && <span className={styles.note}>{note}</span>}
    </>
  );
}

export const DeliveryStatus = ({
  of: { status },
}: {
  readonly of: Pick<AnyDelivery, 'status'>;
}): ReactElement => <Badge tone={statusTones[status]}>{statusWords[status]}</Badge>;
