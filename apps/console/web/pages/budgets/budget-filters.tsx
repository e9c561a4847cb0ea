import { type ReactElement } from 'react';
import { useNames } from '../../api/use-names';
import { EACH } from '../../calls/budget-standing';
import { limitWords, scopeWords } from '../../calls/text';
import { shortId, shortSubject } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { useList } from '../../frame/use-list';
import { budgetList } from './list';
import { text } from './text';

const labels = text.filters;
const takes = budgetList.address;

export function BudgetFilters(): ReactElement {
  const { scope, key, project, end_user: endUser } = useList(budgetList).search;
  const keys = useNames('/keys', [key]);
  const projects = useNames('/projects', [project]);
  return (
    <ListFilters
      of={budgetList}
      // The API has it beside a key alone.
      without={key === undefined && endUser === undefined ? ['end_user'] : []}
      chips={{
        scope: { label: labels.scope, words: scopeWords },
        whose: {
          label: labels.whose,
          editor: picks(scope === undefined || scope === 'organization' ? 'subject' : scope, {
            label: labels.whose,
            hint: text.whoseHint,
            takes: takes.whose,
          }),
          shown: (id) => (id === EACH ? limitWords.each : visibleText(shortSubject(id))),
        },
        project: {
          label: labels.project,
          editor: picks('project', { label: labels.project, takes: takes.project }),
          shown: (id) => visibleText(projects.get(id) ?? shortId(id)),
        },
        enabled: { label: labels.enabled, words: { true: text.yes, false: text.no } },
        key: {
          label: labels.key,
          editor: picks('api_key', { label: labels.key, hint: text.keyHint, takes: takes.key }),
          shown: (id) => visibleText(keys.get(id) ?? shortId(id)),
        },
        end_user: {
          label: labels.end_user,
          editor: picks('end_user', {
            label: labels.end_user,
            hint: text.endUserHint,
            takes: takes.end_user,
          }),
          shown: visibleText,
        },
      }}
    />
  );
}
