import { type ReactElement } from 'react';
import { ListFilters } from '../../frame/list-filters';
import { ruleList } from './list';
import { metricWords } from './metrics';
import { ruleStateWords, text } from './text';

const labels = text.filters;

export const RuleFilters = (): ReactElement => (
  <ListFilters
    of={ruleList}
    chips={{
      metric: { label: labels.metric, words: metricWords },
      standing: { label: labels.state, words: ruleStateWords },
      enabled: { label: labels.enabled, words: { true: text.rules.enabled, false: text.rules.disabled } },
    }}
  />
);
