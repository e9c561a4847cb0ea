import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { type Incident } from './incident';
import { severityWords, stateWords } from './text';

const stateTones = {
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'accent',
  resolved: 'good',
} as const;
const severityTones = { minor: 'neutral', major: 'warn', critical: 'bad' } as const;

export const StateBadge = ({ of }: { readonly of: Incident['state'] }): ReactElement => (
  <Badge tone={stateTones[of]}>{stateWords[of]}</Badge>
);

export const SeverityBadge = ({ of }: { readonly of: Incident['severity'] }): ReactElement => (
  <Badge tone={severityTones[of]}>{severityWords[of]}</Badge>
);
