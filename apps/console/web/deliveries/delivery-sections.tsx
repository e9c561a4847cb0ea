import { type ReactElement, type ReactNode } from 'react';
import { stringifyExact } from '../api/exact-json';
import { type Write } from '../api/writes';
import { Facts, Section } from '../frame/page';
import { Button } from '../ui/button/button';
import { ErrorNote } from '../ui/states/error-note';
import { CodeSample } from '../ui/text/code-sample';
import { Id } from '../ui/text/id';
import { Time } from '../ui/text/time';
import { Attempts } from './attempts';
import { type AnyDelivery, type Receiver } from './delivery';
import { Due } from './due';
import { text } from './text';

const words = text.delivery;

interface DeliverySectionsProps {
  readonly delivery: AnyDelivery;
  /** The receiver, and the word for its kind. */
  readonly receiver: readonly [term: string, value: ReactNode];
  /** The state of what receives it; undefined while it is not known. */
  readonly receiverState: Receiver['state'] | undefined;
}

/** The event, its receiver, and how each attempt went. */
export function DeliverySections(props: DeliverySectionsProps): ReactElement {
  const { delivery, receiver, receiverState } = props;
  const { id, event_id: eventId } = delivery;
  return (
    <>
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={id} />],
            [words.event, <Id key="" id={eventId} />],
            receiver,
            [words.created, <Time key="" at={delivery.created_at} as="instant" />],
            [words.due, <Due key="" of={delivery} receiver={receiverState} none={words.notDue} />],
          ]}
        />
      </Section>
      <Section title={words.attempts}>
        <Attempts of={delivery.attempts_log} />
      </Section>
      <Section title={words.body}>
        <CodeSample label={words.bodyLabel} code={stringifyExact(delivery.payload, 2)} />
      </Section>
    </>
  );
}

interface SendAgainProps {
  readonly delivery: Pick<AnyDelivery, 'status'>;
  readonly write: Write<undefined, unknown>;
}

/** Starts the whole schedule of a delivery anew. */
export const SendAgain = ({ delivery: { status }, write }: SendAgainProps): ReactElement => (
  <>
    <Button
      isBusy={write.isBusy}
      disabledReason={status === 'queued' ? words.queuedReason : null}
      onClick={() => void write.run(undefined)}
    >
      {words.again}
    </Button>
    <ErrorNote error={write.error} />
  </>
);
