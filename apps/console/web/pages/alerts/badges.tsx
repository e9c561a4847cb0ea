import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { Badge } from '../../ui/badge/badge';
import { type Alert, type AlertRule, type Severity } from './alert';
import { type Metric } from './metrics';
import { alertStateWords, ruleStateWords, severityWords, text } from './text';
import { formatObserved } from './threshold';

const severityTones = { info: 'neutral', warning: 'warn', critical: 'bad' } as const;
const ruleTones = { ok: 'good', pending: 'warn', firing: 'bad', no_data: 'neutral' } as const;

export const SeverityBadge = ({ of }: { readonly of: Severity }): ReactElement => (
  <Badge tone={severityTones[of]}>{severityWords[of]}</Badge>
);

export const AlertStateBadge = ({ of: { state } }: { readonly of: Pick<Alert, 'state'> }): ReactElement => (
  <Badge tone={state === 'firing' ? 'bad' : 'good'}>{alertStateWords[state]}</Badge>
);

export const RuleStateBadge = ({ of: { enabled, state } }: { readonly of: AlertRule }): ReactElement =>
  enabled ? (
    <Badge tone={ruleTones[state]}>{ruleStateWords[state]}</Badge>
  ) : (
    <Badge>{text.rules.disabled}</Badge>
  );

/** `Error rate at or above 5 %`. */
export const conditionOf = ({ metric, threshold }: { metric: Metric; threshold: number }): string =>
  visibleText(text.condition(metric, formatObserved(metric, threshold)));
