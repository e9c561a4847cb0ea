import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { type TunedEndpoint } from './endpoint';
import { endpointText } from './endpoint-text';

const tones = {
  stopped: 'neutral',
  starting: 'accent',
  running: 'good',
  stopping: 'accent',
  failed: 'bad',
} as const;

export const EndpointBadge = ({
  of: { state },
}: {
  readonly of: Pick<TunedEndpoint, 'state'>;
}): ReactElement => <Badge tone={tones[state]}>{endpointText.states[state]}</Badge>;
