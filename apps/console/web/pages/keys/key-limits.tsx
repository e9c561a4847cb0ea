import { type ReactElement } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { formatMoney } from '../../format/money';
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

type Budget = components['schemas']['Budget'];

/** Everything that a call of the key must fit: rate limits, the budgets of key, project and organization, the wallet. */
export function KeyLimits({
  apiKey,
  withBudgets,
  withWallet,
}: {
  readonly apiKey: ApiKey;
  readonly withBudgets: boolean;
  readonly withWallet: boolean;
}): ReactElement {
  const words = text.limitsOf;
  return (
    <Section title={text.key.limits}>
      <p className="muted">{text.key.limitsPurpose}</p>
      <DataTable
        caption={words.rates}
        rows={[
          {
            unit: words.rpm,
            own: apiKey.rate_limit_rpm,
            standard: DEFAULT_LIMITS.rpm,
            limit: apiKey.effective_rate_limit.rpm,
          },
          {
            unit: words.tpm,
            own: apiKey.rate_limit_tpm,
            standard: DEFAULT_LIMITS.tpm,
            limit: apiKey.effective_rate_limit.tpm,
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
        ]}
      />
      {withBudgets && <KeyBudgets apiKey={apiKey} />}
      {withWallet && <WalletLeft />}
    </Section>
  );
}

/** What the wallet of the organization has left for new calls of all its keys. */
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
              { key: 'name', header: words.name, cell: ({ name }) => <Name>{name}</Name> },
              {
                key: 'scope',
                header: words.scope,
                cell: ({ scope, period }) => `${words.scopes[scope]}, ${words.periods[period]}`,
              },
              { key: 'spent', header: words.spent, align: 'end', hint: words.lag, cell: spentCell },
              { key: 'left', header: words.left, align: 'end', cell: leftCell },
              {
                key: 'resets',
                header: words.resets,
                cell: ({ resets_at: at }) => (at === null ? words.eachSession : <Time at={at} as="reset" />),
              },
              { key: 'action', header: words.action, cell: actionCell },
            ]}
          />
        )
      }
    </Result>
  );
}

const spentCell = ({ spent_nanos: spent, amount_nanos: amount }: Budget): string =>
  spent === null
    ? text.budgets.upTo(formatMoney(amount))
    : text.budgets.spentOf(formatMoney(spent), formatMoney(amount));

function leftCell({ spent_nanos: spent, amount_nanos: amount }: Budget): ReactElement | string {
  if (spent === null) return text.budgets.eachSession;
  return <Money amount={spent > amount ? 0n : amount - spent} />;
}

function actionCell({ spent_nanos: spent, amount_nanos: amount, action }: Budget): ReactElement | string {
  const isUsedUp = spent !== null && spent >= amount;
  if (action === 'warn') return text.budgets.warns;
  return isUsedUp ? <Badge tone="bad">{text.budgets.blocking}</Badge> : text.budgets.blocks;
}
