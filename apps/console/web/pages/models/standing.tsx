import { type ReactElement } from 'react';
import { Badge } from '../../ui/badge/badge';
import { text } from './text';

/** Whether calls can use a model or an endpoint, where the API says so. */
export function Standing({ eligible }: { readonly eligible: boolean | undefined }): ReactElement | null {
  if (eligible === undefined) return null;
  return (
    <Badge tone={eligible ? 'good' : 'warn'}>{eligible ? text.model.callable : text.model.notCallable}</Badge>
  );
}
