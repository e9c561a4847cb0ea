import { type ReactElement } from 'react';
import { idOf } from '../../browser/address';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { ProjectField } from '../../frame/project-field';
import { refusalList } from './list';
import { text } from './text';
import { type RefusalNames } from './use-refusal-names';

const { filters: labels, filterHints: hints } = text;

/** What the list is narrowed by, as chips. */
export const RefusalFilters = ({ names }: { readonly names: RefusalNames }): ReactElement => (
  <ListFilters
    of={refusalList}
    chips={{
      code: { label: labels.code, hint: hints.code },
      key: {
        label: labels.key,
        hint: hints.key,
        shown: (id) => visibleText(names.keys.get(id) ?? shortId(id)),
      },
      model: { label: labels.model, hint: hints.model },
      project: {
        label: labels.project,
        shown: (id) => visibleText(names.projects.get(id) ?? shortId(id)),
        editor: (id, onChange) => (
          <ProjectField
            label={labels.project}
            value={id ?? null}
            onChange={(next) => onChange(next === null ? undefined : idOf('project')([next]))}
          />
        ),
      },
      after: { label: labels.after },
      before: { label: labels.before },
    }}
  />
);
