import { type ReactElement } from 'react';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { useList } from '../../frame/use-list';
import { Button } from '../../ui/button/button';
import { keyList } from './list';
import { standingWords, text } from './text';

const labels = text.filters;
type KeyFilter = keyof typeof keyList.filters;

export function KeyFilters({ without }: { readonly without: readonly KeyFilter[] }): ReactElement {
  const { project } = useList(keyList).search;
  const names = useNames('/projects', [project]);
  return (
    <ListFilters
      of={keyList}
      without={without}
      chips={{
        q: { label: labels.q },
        state: { label: labels.state, words: standingWords },
        project: {
          label: labels.project,
          editor: picks('project', { label: labels.project, takes: keyList.address.project }),
          shown: (id) => visibleText(names.get(id) ?? shortId(id)),
        },
        purpose: {
          label: labels.purpose,
          words: { playground: text.playground },
          editor: (_, onChange) => <Button onClick={() => onChange('playground')}>{text.playground}</Button>,
        },
      }}
    />
  );
}
