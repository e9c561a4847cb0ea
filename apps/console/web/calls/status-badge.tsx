import { type ReactElement } from 'react';
import { Badge } from '../ui/badge/badge';
import { type ModelRequest } from './request';
import { statusWords } from './text';

const tones = {
  pending: 'accent',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  reconciliation_required: 'warn',
} as const;

/** How a call ended, in a word. */
export function StatusBadge({ of }: { readonly of: Pick<ModelRequest, 'status'> }): ReactElement {
  return <Badge tone={tones[of.status]}>{statusWords[of.status]}</Badge>;
}
