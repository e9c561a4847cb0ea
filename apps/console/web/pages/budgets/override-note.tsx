import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Note } from '../../ui/states/notes';
import { Filled } from '../../ui/text/filled';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { isInForce, type Budget, type Override } from './budget';
import { text } from './text';

const words = text.override;

/** Which amount is in force instead of the budget's own, until when and why; or that it was. Nothing without one. */
export function OverrideNote({ budget }: { readonly budget: Budget }): ReactElement {
  const canWrite = useCan('budget:write');
  const [isAsked, setAsked] = useState(false);
  const { override, amount_nanos: usual } = budget;
  return (
    <>
      {override !== null && (
        <Note>
          <p>
            <OverrideSentence override={override} usual={usual} />
          </p>
          <p>
            {words.reason}: {visibleText(override.reason)}
          </p>
          {canWrite && <Button onClick={() => setAsked(true)}>{words.remove}</Button>}
        </Note>
      )}
      {canWrite && <RemoveOverride budget={budget} isOpen={isAsked} onClose={() => setAsked(false)} />}
    </>
  );
}

interface OverrideSentenceProps {
  readonly override: Override;
  /** The budget's own amount. */
  readonly usual: bigint;
}

/** `In force until 1 Dec 2026, 00:00:00 UTC: $20.00 instead of $10.00.` */
export function OverrideSentence({ override, usual }: OverrideSentenceProps): ReactElement {
  const [now] = useState(() => new Date());
  return (
    <Filled
      sentence={isInForce(override, now) ? words.inForce : words.ended}
      places={{
        until: <Time at={override.until} as="instant" />,
        amount: <Money amount={override.amount_nanos} />,
        usual: <Money amount={usual} />,
      }}
    />
  );
}

interface RemoveOverrideProps {
  readonly budget: Budget;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function RemoveOverride({ budget: { id }, isOpen, onClose }: RemoveOverrideProps): ReactElement {
  const write = useWrite(
    (api) =>
      api.patch('/budgets/{budget_id}', { params: { path: { budget_id: id } }, body: { override: null } }),
    { changes: ['/budgets', '/audit-log'], says: words.removed },
  );
  const asked = { title: words.removeTitle, action: words.remove, effect: words.effect };
  return (
    <ConfirmWrite approval="budget.update" {...{ write, isOpen, onClose }} words={asked} isDanger={false} />
  );
}
