import { type ReactElement } from 'react';
import { type BudgetStanding } from '../../calls/budget-standing';
import { Badge } from '../../ui/badge/badge';
import { standingWords } from './text';

const tones = {
  disabled: 'neutral',
  session: 'neutral',
  each: 'neutral',
  within: 'good',
  warning: 'warn',
  over: 'bad',
  blocking: 'bad',
} as const;

export function StandingBadge({ standing }: { readonly standing: BudgetStanding }): ReactElement {
  return <Badge tone={tones[standing]}>{standingWords[standing]}</Badge>;
}
