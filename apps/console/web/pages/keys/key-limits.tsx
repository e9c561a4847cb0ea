import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOwnOrganization } from '../../api/use-own-organization';
import { PressureNote } from '../../calls/budget-pressure';
import { BudgetScope, eachOf, spentText, useScopeNames } from '../../calls/budget-scope';
import { leftOf, standingOf, type Budget, type BudgetPressure } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { formatCount } from '../../format/numbers';
import { Section } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { type ApiKey } from './key';
import { DEFAULT_LIMITS, text } from './text';

/** Everything that a call of the key must fit: its rate limits and the organization's, the budgets that count it, the wallet. */
export function KeyLimits({
  apiKey,
  withBudgets,
  withWallet,
}: {
  readonly apiKey: ApiKey;
  readonly withBudgets: boolean;
  readonly withWallet: boolean;
}): ReactElement {
  return (
    <Section title={text.key.limits}>
      <p className="muted">{withBudgets && withWallet ? text.key.limitsPurpose : text.key.limitsHidden}</p>
      <RateLimits apiKey={apiKey} />
      {withBudgets && <KeyBudgets apiKey={apiKey} />}
      {withWallet && <WalletLeft />}
    </Section>
  );
}

/** The limits of the key, and the one that all keys of the organization share. */
function RateLimits({ apiKey }: { readonly apiKey: ApiKey }): ReactElement {
  const words = text.limitsOf;
  const organization = useOwnOrganization().data?.effective_rate_limit;
  return (
    <DataTable
      caption={words.rates}
      rows={[
        {
          unit: words.rpm,
          own: apiKey.rate_limit_rpm,
          standard: DEFAULT_LIMITS.rpm,
          limit: apiKey.effective_rate_limit.rpm,
          all: organization?.rpm,
        },
        {
          unit: words.tpm,
          own: apiKey.rate_limit_tpm,
          standard: DEFAULT_LIMITS.tpm,
          limit: apiKey.effective_rate_limit.tpm,
          all: organization?.tpm,
        },
      ]}
      rowKey={({ unit }) => unit}
      columns={[
        { key: 'unit', header: words.unit, cell: ({ unit }) => unit },
        {
          key: 'own',
          header: words.key,
          align: 'end',
          cell: ({ own, standard }) => words.own(own, standard),
        },
        {
          key: 'limit',
          header: words.effect,
          align: 'end',
          hint: words.effectHint,
          cell: ({ limit }) => formatCount(limit),
        },
        {
          key: 'all',
          header: words.all,
          align: 'end',
          hint: words.allHint,
          cell: ({ all }) => (all === undefined ? words.unknown : formatCount(all)),
        },
      ]}
    />
  );
}

/** The rest of the organization's wallet for new calls of all its keys. */
function WalletLeft(): ReactElement {
  return (
    <Result of={useRead('/wallet', {})} lines={1}>
      {({ available_nanos: available }) => (
        <p>
          <PageLink to="/wallet">{text.limitsOf.wallet}</PageLink> <Money amount={available} />
        </p>
      )}
    </Result>
  );
}

function KeyBudgets({ apiKey: { id } }: { readonly apiKey: ApiKey }): ReactElement {
  const budgets = useRead('/budgets', { params: { query: { applies_to: id, enabled: 'true', limit: 100 } } });
  const pressureOf = useBudgetPressure();
  const names = useScopeNames(budgets.data?.data ?? []);
  const words = text.budgets;
  return (
    <Result of={budgets} lines={2}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="muted">{words.none}</p>
        ) : (
          <DataTable
            caption={words.caption}
            rows={data}
            rowKey={({ id: budgetId }) => budgetId}
            columns={[
              { key: 'name', header: words.name, cell: (budget) => <NamedBudget of={budget} /> },
              {
                key: 'scope',
                header: words.scope,
                wraps: true,
                cell: (budget) => <BudgetScope of={budget} names={names} />,
              },
              { key: 'spent', header: words.spent, align: 'end', hint: words.lag, cell: spentText },
              { key: 'left', header: words.left, align: 'end', cell: leftCell },
              {
                key: 'resets',
                header: words.resets,
                cell: (budget) =>
                  budget.resets_at === null ? eachOf(budget) : <Time at={budget.resets_at} as="reset" />,
              },
              {
                key: 'action',
                header: words.action,
                wraps: true,
                cell: (budget) => <AtItsEnd of={budget} pressure={pressureOf(budget)} />,
              },
            ]}
          />
        )
      }
    </Result>
  );
}

function leftCell(budget: Budget): ReactElement | string {
  const left = leftOf(budget);
  return left === null ? eachOf(budget) : <Money amount={left} />;
}

const NamedBudget = ({ of: { id, name } }: { readonly of: Budget }): ReactElement => (
  <PageLink to="/budgets/$budgetId" params={{ budgetId: id }}>
    <Name>{name}</Name>
  </PageLink>
);

/** The action of a budget at its end, and whether it is in effect now. */
function AtItsEnd(props: { readonly of: Budget; readonly pressure: BudgetPressure }): ReactElement {
  const { of: budget, pressure } = props;
  if (budget.action === 'warn') return <>{text.budgets.warns}</>;
  if (standingOf(budget, pressure) !== 'blocking') return <>{text.budgets.blocks}</>;
  return (
    <>
      <Badge tone="bad">{text.budgets.blocking}</Badge>{' '}
      <PressureNote budget={budget} pressure={pressure} omitsLeft />
    </>
  );
}
