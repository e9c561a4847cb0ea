import { type ReactElement } from 'react';
import { Badge } from '../../../ui/badge/badge';
import { type Schemas } from '../../api/use-api';
import { severityWords, stateWords } from './text';

export type Incident = Schemas['PlatformIncident'];
export type State = Incident['state'];
export type Severity = Incident['severity'];

export const StateBadge = ({ state }: { readonly state: State }): ReactElement => (
  <Badge tone={state === 'resolved' ? 'good' : state === 'monitoring' ? 'accent' : 'bad'}>
    {stateWords[state]}
  </Badge>
);

export const SeverityBadge = ({ severity }: { readonly severity: Severity }): ReactElement => (
  <Badge tone={severity === 'minor' ? 'warn' : 'bad'}>{severityWords[severity]}</Badge>
);

const severities = ['minor', 'major', 'critical'] as const;
export const severityChoices = severities.map((value) => ({ value, label: severityWords[value] }));

export const openStates = ['investigating', 'identified', 'monitoring'] as const;
