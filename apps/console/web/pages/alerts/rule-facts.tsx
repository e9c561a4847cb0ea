import { type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/use-api';
import { BudgetLimit, useScopeNames } from '../../calls/budget-scope';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { filtersOf, hasWindow, type AlertRule } from './alert';
import { conditionOf, SeverityBadge } from './badges';
import { filterWords, spanWords, text } from './text';
import { formatObserved } from './threshold';

type Fact = readonly [term: string, value: ReactNode];
const words = text.rule;

/** What the rule watches, by how much, and whom it tells. */
export function RuleFacts({ rule }: { readonly rule: AlertRule }): ReactElement {
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
          ...filterFacts(rule),
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

const filterFacts = ({ metric, filter }: AlertRule): readonly Fact[] =>
  filtersOf[metric].flatMap((name): readonly Fact[] => {
    const value = filter[name];
    if (value === null) return [];
    if (name === 'budget_id') return [[words.budget, <WatchedBudget key={name} id={value} />]];
    return [[filterWords[name], visibleText(value)]];
  });

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
