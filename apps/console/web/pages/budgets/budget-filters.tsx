import { type ReactElement } from 'react';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { useList } from '../../frame/use-list';
import { budgetList } from './list';
import { scopeWords, text } from './text';

const labels = text.filters;

export function BudgetFilters(): ReactElement {
  const { key } = useList(budgetList).search;
  const names = useNames('/keys', [key]);
  return (
    <ListFilters
      of={budgetList}
      chips={{
        scope: { label: labels.scope, words: scopeWords },
        enabled: { label: labels.enabled, words: { true: text.yes, false: text.no } },
        key: {
          label: labels.key,
          hint: text.keyHint,
          problem: text.notAKey,
          shown: (id) => visibleText(names.get(id) ?? shortId(id)),
        },
      }}
    />
  );
}
