import { type ReactElement } from 'react';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { refusalList } from './list';
import { text } from './text';
import { type RefusalNames } from './use-refusal-names';

const { filters: labels, filterHints: hints } = text;

/** The filters of the list, as chips. */
export const RefusalFilters = ({ names }: { readonly names: RefusalNames }): ReactElement => (
  <ListFilters
    of={refusalList}
    chips={{
      code: { label: labels.code, hint: hints.code },
      key: {
        label: labels.key,
        editor: picks('api_key', { label: labels.key, takes: refusalList.address.key }),
        shown: (id) => visibleText(names.keys.get(id) ?? shortId(id)),
      },
      model: {
        label: labels.model,
        editor: picks('model', { label: labels.model, takes: refusalList.address.model }),
        shown: visibleText,
      },
      project: {
        label: labels.project,
        editor: picks('project', { label: labels.project, takes: refusalList.address.project }),
        shown: (id) => visibleText(names.projects.get(id) ?? shortId(id)),
      },
      after: { label: labels.after },
      before: { label: labels.before },
    }}
  />
);
