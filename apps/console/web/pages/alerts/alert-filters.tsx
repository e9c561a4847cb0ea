import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { useList } from '../../frame/use-list';
import { alertList } from './list';
import { alertStateWords, text } from './text';

const labels = text.filters;

export function AlertFilters(): ReactElement {
  const { rule } = useList(alertList).search;
  const params = { path: { alert_rule_id: rule ?? '' } };
  const { data } = useRead('/alert-rules/{alert_rule_id}', { params }, { enabled: rule !== undefined });
  return (
    <ListFilters
      of={alertList}
      chips={{
        state: { label: labels.state, words: alertStateWords },
        rule: {
          label: labels.rule,
          editor: picks('alert_rule', {
            label: labels.rule,
            hint: labels.ruleHint,
            takes: alertList.address.rule,
          }),
          shown: (id) => (data?.id === id ? visibleText(data.name) : shortId(id)),
        },
      }}
    />
  );
}
