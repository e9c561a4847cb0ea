import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { daysLeft, daysLeftWords, PACE_DAYS } from '../../calls/days-left';
import { lastDays } from '../../calls/last-days';
import { Facts } from '../../frame/page';
import { useCan } from '../../session/organization';
import { WarningNote } from '../../ui/states/notes';
import { Money } from '../../ui/text/money';
import { text } from './text';

type Wallet = components['schemas']['Wallet'];

/** The figures of one answer: never those of two. */
export function Figures({ of: wallet }: { readonly of: Wallet }): ReactElement {
  const { balance_nanos: balance, held_nanos: held, owed_nanos: owed, available_nanos: available } = wallet;
  const words = text.figures;
  const canReadUsage = useCan('usage:read');
  return (
    <>
      <Facts
        of={[
          [words.balance, <Money key="" amount={balance} as="exact" />],
          [words.held, <Money key="" amount={held} as="exact" />],
          ...(owed === 0n ? [] : [[words.owed, <Money key="" amount={owed} as="exact" />] as const]),
          [words.available, <Money key="" amount={available} as="exact" />],
          ...(canReadUsage ? [[words.daysLeft, <DaysLeft key="" available={available} />] as const] : []),
        ]}
      />
      {available <= 0n && <WarningNote>{words.empty}</WarningNote>}
    </>
  );
}

function DaysLeft({ available }: { readonly available: bigint }): ReactElement {
  const [range] = useState(() => lastDays(Number(PACE_DAYS)));
  const { data } = useRead('/usage', { params: { query: range } });
  const words = text.figures;
  if (data === undefined) return <>–</>;
  const days = daysLeft(available, data.total.customer_nanos);
  if (days === null) return <>{words.noPace}</>;
  return (
    <span data-tip={words.pace} aria-description={words.pace} className="number">
      {daysLeftWords(days)}
    </span>
  );
}
