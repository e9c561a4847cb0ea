import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { stateWords } from './text';
import { type Job } from './tuning';

const tones = {
  validating_files: 'accent',
  queued: 'accent',
  running: 'accent',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const;

export const StateBadge = ({ of: { state } }: { readonly of: Pick<Job, 'state'> }): ReactElement => (
  <Badge tone={tones[state]}>{stateWords[state]}</Badge>
);
