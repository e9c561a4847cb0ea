import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { CreditAdvice } from '../../calls/credit-advice';
import { daysLeft, daysLeftWords } from '../../calls/days-left';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { Money } from '../../ui/text/money';
import { text } from './text';
import { Card } from './card';
import { useRange } from './use-range';

/** The wallet, and what the last days cost. */
export function useWallet(enabled = true) {
  const { current } = useRange('7d');
  const wallet = useRead('/wallet', {}, { enabled });
  const pace = useRead('/usage', { params: { query: current } }, { enabled });
  return { wallet, pace };
}

/** The amount that new calls can spend, and how long it lasts. */
export function WalletCard(): ReactElement {
  const { wallet, pace } = useWallet();
  const canAdd = useCan('wallet:write');
  const available = wallet.data?.available_nanos;
  const spent = pace.data?.total.customer_nanos;
  return (
    <Card
      label={<PageLink to="/wallet">{text.cards.wallet}</PageLink>}
      value={available === undefined ? '–' : <Money amount={available} />}
      unit={text.available}
    >
      {available !== undefined && spent !== undefined && <Lasting {...{ available, spent }} />}
      {available !== undefined && available > 0n && canAdd && (
        <p>
          <CreditAdvice />
        </p>
      )}
    </Card>
  );
}

function Lasting({ available, spent }: { readonly available: bigint; readonly spent: bigint }): ReactElement {
  if (available <= 0n)
    return (
      <p>
        {text.empty} <CreditAdvice />
      </p>
    );
  const days = daysLeft(available, spent);
  return <p>{days === null ? text.noPace : text.days(daysLeftWords(days))}</p>;
}
