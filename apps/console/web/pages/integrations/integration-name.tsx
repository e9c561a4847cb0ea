import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { shortId } from '../../format/ids';
import { Name } from '../../ui/text/id';

/** Its name, and until it is read its id. */
export function IntegrationName({ id }: { readonly id: string }): ReactElement {
  const { data } = useRead('/integrations/{integration_id}', { params: { path: { integration_id: id } } });
  return <Name>{data?.name ?? shortId(id)}</Name>;
}
