import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { Id, Name } from '../../ui/text/id';
import { text } from './text';

const MEMBERS = 100;

/** Who wrote a version: by e-mail address where the role may read members. */
export function WrittenBy({ userId }: { readonly userId: string | null }): ReactElement {
  const canRead = useCan('member:read');
  const { data } = useRead(
    '/members',
    { params: { query: { limit: MEMBERS } } },
    { enabled: canRead && userId !== null },
  );
  if (userId === null) return <>{text.version.aKey}</>;
  const email = data?.data.find((member) => member.user_id === userId)?.email;
  return email === undefined ? <Id id={userId} isShort /> : <Name>{email}</Name>;
}
