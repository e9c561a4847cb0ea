import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { credentialList } from './list';
import { stateWords, text } from './text';
import { useProviders } from './use-providers';

const labels = text.filters;

export function CredentialFilters(): ReactElement {
  const providers = useProviders();
  return (
    <ListFilters
      of={credentialList}
      chips={{
        provider: {
          label: labels.provider,
          shown: visibleText,
          editor: (provider, onChange) => (
            <ComboboxField
              label={labels.provider}
              value={provider ?? null}
              onChange={(next) => onChange(next ?? undefined)}
              choices={providers.map(({ name }) => ({ value: name, label: name }))}
            />
          ),
        },
        state: { label: labels.state, words: stateWords },
      }}
    />
  );
}
