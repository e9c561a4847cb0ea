import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';

/** A text of the API, whoever wrote it. */
export function Code({ children }: { readonly children: string }): ReactElement {
  return <code translate="no">{visibleText(children)}</code>;
}
