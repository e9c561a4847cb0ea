import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement } from 'react';
import { type components } from '../../api/generated/management';
import { failedMeans } from '../../calls/outcome-words';
import { PageLink } from '../../ui/page-link';
import { formatMoney, formatMoneyInFull } from '../../format/money';
import { formatCount, formatDuration, formatPercent } from '../../format/numbers';
import { useCan } from '../../session/organization';
import { Result } from '../../ui/states/result';
import { Money } from '../../ui/text/money';
import { Card } from './card';
import { changeOf } from './change';
import { type UsageTotal } from './groups';
import { type Period } from './period';
import { failedRequestsSearch, refusalsSearch, requestsSearch, slowRequestsSearch } from './requests-search';
import { text } from './text';
import { type UsageView } from './usage-reads';
import { useCallsOverTime, usePreviousLatencies, usePreviousSums, useRefusals } from './use-usage';
import { useWallet, WalletCard } from './wallet-card';
import styles from './overview.module.css';

type Usage = components['schemas']['Usage'];

interface CardsProps {
  readonly sums: UseQueryResult<Usage>;
  readonly view: UsageView;
  readonly period: Period;
}

/** The figures of the period, each against the period before. */
export function Cards({ sums, ...props }: CardsProps): ReactElement {
  // Read beside the sums, not after them.
  usePreviousSums(props.view);
  usePreviousLatencies(props.view);
  useRefusals(props.view);
  useWallet(useCan('wallet:read'));
  return (
    <Result of={sums} lines={4}>
      {({ total }) => <CardList total={total} {...props} />}
    </Result>
  );
}

interface CardListProps extends Omit<CardsProps, 'sums'> {
  readonly total: UsageTotal;
}

function CardList(props: CardListProps): ReactElement {
  const canSeeWallet = useCan('wallet:read');
  return (
    <ul className={styles.cards} aria-label={text.summary}>
      <SumCards {...props} />
      {props.view.range.isShort && (
        <>
          <LatencyCard {...props} of="ttft_ms" label={text.cards.firstToken} />
          <LatencyCard {...props} of="duration_ms" label={text.cards.duration} />
          <RefusedCard view={props.view} />
        </>
      )}
      {canSeeWallet && <WalletCard />}
    </ul>
  );
}

function SumCards({ total, view, period }: CardListProps): ReactElement {
  const before = usePreviousSums(view).data?.total;
  const search = requestsSearch(view);
  const { requests, failed, cancelled, customer_nanos: spend, provider_nanos: ownAccounts } = total;
  return (
    <>
      <Card label={toRequests(text.cards.spend, search)} value={<Money amount={spend} />}>
        {ownAccounts > 0n && (
          <p>
            {text.ownAccounts} <Money amount={ownAccounts} />
          </p>
        )}
        {before && (
          <Compared
            {...{ period }}
            change={changeOf(spend, before.customer_nanos)}
            before={formatMoney(before.customer_nanos)}
            exact={formatMoneyInFull(before.customer_nanos)}
          />
        )}
      </Card>
      <Card label={toRequests(text.cards.calls, search)} value={formatCount(requests)}>
        {before && (
          <Compared
            {...{ period }}
            change={changeOf(BigInt(requests), BigInt(before.requests))}
            before={formatCount(before.requests)}
          />
        )}
      </Card>
      <Card
        label={toRequests(text.cards.errors, failedRequestsSearch(view))}
        value={requests === 0 ? '–' : formatPercent(failed / requests)}
      >
        <p>{text.failedOf(failed, cancelled)}</p>
        {before && before.requests > 0 && (
          <p>{text.instead(formatPercent(before.failed / before.requests), period)}</p>
        )}
        <p>{failedMeans}</p>
      </Card>
    </>
  );
}

const toRequests = (label: string, search: ReturnType<typeof requestsSearch>): ReactElement => (
  <PageLink to="/requests" search={search}>
    {label}
  </PageLink>
);

interface ComparedProps {
  readonly period: Period;
  readonly change: number | null;
  readonly before: string;
  readonly exact?: string;
}

/** The figure of the time before. Of a day that is not over yet, a change in percent would say nothing. */
function Compared({ period, change, before, exact }: ComparedProps): ReactElement {
  if (change === null) return <p>{text.noneBefore(period)}</p>;
  return (
    <p data-tip={period === 'today' ? exact : text.instead(exact ?? before, period)}>
      {period === 'today' ? text.instead(before, period) : text.change(change, period)}
    </p>
  );
}

function LatencyCard(
  props: CardListProps & { readonly of: 'ttft_ms' | 'duration_ms'; readonly label: string },
): ReactElement {
  const { view, period, of, label } = props;
  const times = useCallsOverTime(view).data?.total[of];
  const before = usePreviousLatencies(view).data?.total[of];
  if (!times)
    return (
      <Card label={label} value="–">
        {times === null && <p>{text.notTimed}</p>}
      </Card>
    );
  return (
    <Card
      label={toRequests(label, slowRequestsSearch(view, of, times.p95))}
      value={formatDuration(times.p50)}
      unit={text.percentiles.p50}
    >
      <p>
        {text.percentiles.p95} <strong>{formatDuration(times.p95)}</strong>
      </p>
      {before && (
        <p>{text.instead(`${formatDuration(before.p50)} / ${formatDuration(before.p95)}`, period)}</p>
      )}
    </Card>
  );
}

function RefusedCard({ view }: { readonly view: UsageView }): ReactElement {
  const { data } = useRefusals(view);
  return (
    <Card
      label={
        <PageLink to="/refusals" search={refusalsSearch(view)}>
          {text.cards.refused}
        </PageLink>
      }
      value={data === undefined ? '–' : formatCount(data.total.count)}
    >
      {data && (
        <p>
          {data.total.count === 0
            ? text.noRefusals
            : text.refusals(data.data.map(({ code = '', count }) => [code, count]))}
        </p>
      )}
    </Card>
  );
}
