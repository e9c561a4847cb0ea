import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useOrganization } from '../../session/organization';
import { rolesWithin } from '../../session/roles';
import { IconButton } from '../../ui/button/button';
import { MoreIcon } from '../../ui/icons/later-icons';
import { Menu, MenuItem } from '../../ui/menu/menu';
import { LastTime } from '../../ui/text/last-time';
import { ChangeRole } from './change-role';
import { type Member } from './member';
import { text } from './text';

interface MemberActionsProps {
  readonly member: Member;
  readonly isLastOwner: boolean;
  /** The address, as it may be shown. */
  readonly name: string;
}

/** Actions on a member. One that is not possible now says why. */
export function MemberActions({ member, isLastOwner, name }: MemberActionsProps): ReactElement {
  const [open, setOpen] = useState<'role' | 'remove' | null>(null);
  const { permissions } = useOrganization();
  const close = () => setOpen(null);
  const reason =
    member.state === 'removed'
      ? text.reasons.removed
      : isLastOwner
        ? text.reasons.lastOwner
        : rolesWithin(permissions).includes(member.role)
          ? null
          : text.reasons.more;
  const trigger = <IconButton label={text.actionsOf(name)} icon={<MoreIcon />} disabledReason={reason} />;
  if (reason !== null) return trigger;
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem onSelect={() => setOpen('role')}>{text.change.item}</MenuItem>
        <MenuItem isDanger onSelect={() => setOpen('remove')}>
          {text.remove.item}
        </MenuItem>
      </Menu>
      <ChangeRole member={member} isOpen={open === 'role'} onClose={close} />
      <RemoveMember member={member} isOpen={open === 'remove'} onClose={close} />
    </>
  );
}

function RemoveMember(props: {
  readonly member: Member;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactElement {
  const { member, isOpen, onClose } = props;
  const words = text.remove;
  const params = { path: { member_id: member.id } };
  const remove = useWrite((api) => api.delete('/members/{member_id}', { params }), {
    changes: ['/members', '/audit-log'],
    says: words.done,
  });
  return (
    <ConfirmWrite write={remove} isOpen={isOpen} onClose={onClose} words={words} typedName={member.email}>
      <LastSeen id={member.id} />
    </ConfirmWrite>
  );
}

function LastSeen({ id }: { readonly id: string }): ReactElement {
  const params = { path: { member_id: id } };
  const { data, isFetching, isError } = useRead('/members/{member_id}', { params }, { isReadAnew: true });
  return (
    <LastTime
      at={isError ? undefined : data?.last_seen_at}
      isReading={isFetching}
      words={text.remove.lastSeen}
    />
  );
}
