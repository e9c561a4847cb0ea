import { type ReactElement, type ReactNode } from 'react';
import { type NamesById, useNames } from '../api/use-names';
import { shortSubject } from '../format/ids';
import { formatMoney } from '../format/money';
import { visibleText } from '../format/visible-text';
import { PageLink } from '../ui/page-link';
import { Filled, filledText } from '../ui/text/filled';
import { Name } from '../ui/text/id';
import { Money } from '../ui/text/money';
import { isOfEach, type Budget, type BudgetScope as Scope } from './budget-standing';
import { amountWords, eachWords, limitWords, namedWords, scopeWords } from './text';

type Scoped = Pick<Budget, 'scope' | 'scope_id' | 'project_id'>;

/** The names of what budgets are of, in three calls at most. What the role may not read stays an id. */
export function useScopeNames(budgets: readonly Scoped[]): NamesById {
  const idsOf = (scope: Scope) =>
    budgets.filter((budget) => budget.scope === scope && !isOfEach(budget)).map(({ scope_id: id }) => id);
  const projects = useNames('/projects', [
    ...idsOf('project'),
    ...budgets.map((budget) => budget.project_id),
  ]);
  const keys = useNames('/keys', idsOf('api_key'));
  const members = useNames('/members', idsOf('member'));
  return new Map([...projects, ...keys, ...members]);
}

interface BudgetScopeProps {
  readonly of: Scoped;
  readonly names: NamesById;
}

/** Whose calls a budget counts: `Each end user of project Shop`. */
export function BudgetScope({ of, names }: BudgetScopeProps): ReactElement {
  const { project_id: projectId } = of;
  if (projectId === null) return <Whom {...{ of, names }} />;
  const project = <ScopeSubject scope="project" id={projectId} name={names.get(projectId)} />;
  return <Filled sentence={limitWords.narrowed} places={{ scope: <Whom {...{ of, names }} />, project }} />;
}

function Whom({ of: { scope, scope_id: id }, names }: BudgetScopeProps): ReactElement {
  if (scope === 'organization') return <>{scopeWords.organization}</>;
  if (isOfEach({ scope_id: id })) return <>{eachWords[scope]}</>;
  const name = <ScopeSubject {...{ scope, id }} name={names.get(id)} />;
  return <Filled sentence={namedWords[scope]} places={{ name }} />;
}

interface SubjectLinkProps {
  readonly scope: Scope;
  readonly id: string;
  /** Filters of the list of requests, where the link leads there. */
  readonly within?: Target['search'];
  readonly children: ReactNode;
}

/** A link to what there is about one of a scope; its text alone where that is no page. */
export function SubjectLink({ scope, id, within = {}, children }: SubjectLinkProps): ReactElement {
  const target = targets[scope]?.(id, within);
  return target === undefined ? <>{children}</> : <PageLink {...target}>{children}</PageLink>;
}

interface ScopeSubjectProps extends Omit<SubjectLinkProps, 'children'> {
  /** Undefined where it is not known. */
  readonly name: string | undefined;
}

/** One of a scope within a sentence: its name, or its short id. */
export function ScopeSubject({ name, ...link }: ScopeSubjectProps): ReactElement {
  const known = link.scope === 'model' ? link.id : name;
  return (
    <SubjectLink {...link}>
      {known === undefined ? (
        <bdi translate="no" className="mono" data-tip={visibleText(link.id)}>
          {visibleText(shortSubject(link.id))}
        </bdi>
      ) : (
        <Name>{known}</Name>
      )}
    </SubjectLink>
  );
}

interface Target {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string | undefined>>;
}

type TargetOf = (id: string, within: Target['search']) => Target;
const targets: Readonly<Partial<Record<Scope, TargetOf>>> = {
  project: (projectId) => ({ to: '/projects/$projectId', params: { projectId } }),
  api_key: (keyId) => ({ to: '/keys/$keyId', params: { keyId } }),
  model: (model, within) => ({ to: '/requests', search: { ...within, model } }),
  end_user: (endUser, within) => ({ to: '/requests', search: { ...within, end_user: endUser } }),
};

/** `Each end user of project Shop: $5.00 per week`. */
export function BudgetLimit({ of, names }: BudgetScopeProps & { readonly of: Budget }): ReactElement {
  const amount = (
    <Filled
      sentence={amountWords[of.period]}
      places={{ amount: <Money amount={of.amount_in_force_nanos} /> }}
    />
  );
  return (
    <Filled sentence={limitWords.limit} places={{ scope: <BudgetScope {...{ of, names }} />, amount }} />
  );
}

type Spending = Pick<Budget, 'period' | 'scope_id' | 'spent_nanos' | 'amount_in_force_nanos'>;

/** The spend of a budget: `$1.20 of $5.00 per week`; without a single spend `Up to $5.00 per week for each`. */
export function spentText(budget: Spending): string {
  const { period, spent_nanos: spent, amount_in_force_nanos: inForce } = budget;
  const amount = filledText(amountWords[period], { amount: formatMoney(inForce) });
  if (spent !== null) return filledText(limitWords.spent, { spent: formatMoney(spent), amount });
  return filledText(period === 'session' ? limitWords.upTo : limitWords.upToEach, { amount });
}

/** In place of a single figure: whose each is. */
export const eachOf = ({ period }: Pick<Budget, 'period'>): string =>
  period === 'session' ? limitWords.eachSession : limitWords.each;
