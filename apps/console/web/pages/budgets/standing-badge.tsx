import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { standingOf, type Budget } from './budget';
import { standingWords } from './text';

const tones = {
  disabled: 'neutral',
  session: 'neutral',
  within: 'good',
  warning: 'warn',
  over: 'bad',
  blocking: 'bad',
} as const;

export function StandingBadge({ of }: { readonly of: Budget }): ReactElement {
  const standing = standingOf(of);
  return <Badge tone={tones[standing]}>{standingWords[standing]}</Badge>;
}
