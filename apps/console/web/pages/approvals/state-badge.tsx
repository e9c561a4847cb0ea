import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { type ApprovalRequest } from './approval';
import { stateWords } from './text';

const tones = {
  pending: 'accent',
  approved: 'accent',
  executed: 'good',
  rejected: 'bad',
  cancelled: 'neutral',
  expired: 'warn',
  failed: 'bad',
} as const;

export const StateBadge = ({
  of: { state },
}: {
  readonly of: Pick<ApprovalRequest, 'state'>;
}): ReactElement => <Badge tone={tones[state]}>{stateWords[state]}</Badge>;
