import { type ReactElement } from 'react';
import { useOwnOrganization } from '../api/use-own-organization';

/** ` Contact: ops@example.com.`, where the operator has said how to be reached. */
export function OperatorContact(): ReactElement | null {
  const { data } = useOwnOrganization();
  const contact = data?.operator_contact ?? null;
  return contact === null ? null : (
    <>
      {' '}
      Contact: <a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>.
    </>
  );
}
