import { type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/use-api';
import { type NamesById } from '../../api/use-names';
import { BudgetLimit, useScopeNames } from '../../calls/budget-scope';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type AlertRule } from './alert';
import { hasWindow } from './metrics';
import { conditionOf, SeverityBadge } from './badges';
import { filterWords, spanWords, text } from './text';
import { formatObserved } from './threshold';
import { setFilters, useWatchedNames, Watched } from './watched';

type Fact = readonly [term: string, value: ReactNode];
const words = text.rule;

/** The metric of the rule, its threshold, and whom it tells. */
export function RuleFacts({ rule }: { readonly rule: AlertRule }): ReactElement {
  // A budget is read by itself.
  const names = useWatchedNames(rule.metric === 'budget_consumed_bps' ? [] : [rule]);
  const { metric, observed, evaluated_at: evaluated, muted_until: muted, disabled_reason: why } = rule;
  return (
    <Section title={words.facts}>
      <Facts
        of={[
          [words.id, <Id key="id" id={rule.id} />],
          [words.condition, conditionOf(rule)],
          [words.observed, observed === null ? text.rules.nothing : formatObserved(metric, observed)],
          ...(evaluated === null ? [] : [[words.evaluated, <Time key="at" at={evaluated} />] as const]),
          ...windowFacts(rule),
          ...filterFacts(rule, names),
          [words.for, spanWords(rule.for_seconds)],
          [words.keep, spanWords(rule.keep_firing_seconds)],
          [words.repeat, rule.repeat_seconds === null ? words.never : spanWords(rule.repeat_seconds)],
          [words.severity, <SeverityBadge key="severity" of={rule.severity} />],
          [words.told, toldBy(rule)],
          ...(muted === null ? [] : [[words.muted, <Time key="muted" at={muted} as="instant" />] as const]),
          ...(why === null ? [] : [[words.why, visibleText(words.reasons(why))] as const]),
        ]}
      />
    </Section>
  );
}

function windowFacts(rule: AlertRule): readonly Fact[] {
  if (!hasWindow(rule.metric)) return [];
  const window = rule.period === null ? spanWords(rule.window_seconds) : words.period[rule.period];
  return [
    [words.window, window],
    [words.min, formatCount(rule.min_requests)],
  ];
}

const filterFacts = (rule: AlertRule, names: NamesById): readonly Fact[] =>
  setFilters(rule).map(([name, value]) =>
    name === 'budget_id'
      ? [words.budget, <WatchedBudget key={name} id={value} />]
      : [filterWords[name], <Watched key={name} of={name} value={value} names={names} />],
  );

/** The budget by its name and in words; its id for a role that may not read it. */
function WatchedBudget({ id }: { readonly id: string }): ReactElement {
  const params = { path: { budget_id: id } };
  const { data: budget } = useRead('/budgets/{budget_id}', { params }, { enabled: useCan('budget:read') });
  const names = useScopeNames(budget === undefined ? [] : [budget]);
  if (budget === undefined) return <Id id={id} />;
  return (
    <>
      <PageLink to="/budgets/$budgetId" params={{ budgetId: id }}>
        <Name>{budget.name}</Name>
      </PageLink>
      {' · '}
      <BudgetLimit of={budget} names={names} />
    </>
  );
}

function toldBy({ notify }: AlertRule): string {
  const { roles, member_ids: members, integration_ids: integrations } = notify;
  const told = words.tellsOf(roles.map(roleLabel), members.length, integrations.length);
  return told === '' ? words.nobody : told;
}
