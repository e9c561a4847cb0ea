import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { credentialList } from './list';
import { stateWords, text } from './text';

const labels = text.filters;

export function CredentialFilters(): ReactElement {
  return (
    <ListFilters
      of={credentialList}
      chips={{
        provider: {
          label: labels.provider,
          shown: visibleText,
          editor: picks('provider', { label: labels.provider, takes: credentialList.address.provider }),
        },
        state: { label: labels.state, words: stateWords },
      }}
    />
  );
}
