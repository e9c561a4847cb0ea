import { type ReactElement, useState } from 'react';
import { refreshSession } from '../../api/transport';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Facts, Section } from '../../frame/page';
import { useOrganization } from '../../session/organization';
import { useSession } from '../../session/session-store';
import { Button } from '../../ui/button/button';
import { Name } from '../../ui/text/id';
import { ChangePassword } from './change-password';
import { OwnGrants } from './own-grants';
import { Sessions } from './sessions';
import { text } from './text';

const words = text.account;

/** The parts of the user's account: address, password, sessions, grants, and the membership. */
export function Account(): ReactElement {
  const { user } = useSession();
  const [open, setOpen] = useState<'password' | 'leave' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title={words.title}>
      <Facts of={[[words.email, <Name key="">{user.email}</Name>]]} />
      <p>
        <Button onClick={() => setOpen('password')}>{words.changePassword}</Button>{' '}
        <Button variant="danger" onClick={() => setOpen('leave')}>
          {words.leave.action}
        </Button>
      </p>
      <Sessions />
      <OwnGrants />
      <ChangePassword isOpen={open === 'password'} onClose={close} />
      <LeaveOrganization isOpen={open === 'leave'} onClose={close} />
    </Section>
  );
}

/** Ends the own membership. The API refuses the last owner, in its own words. */
function LeaveOrganization(props: { readonly isOpen: boolean; readonly onClose: () => void }): ReactElement {
  const { isOpen, onClose } = props;
  const { name, member_id: memberId } = useOrganization();
  const params = { path: { member_id: memberId } };
  const leave = useWrite((api) => api.post('/members/{member_id}/leave', { params }), {
    changes: [],
    says: words.leave.done,
  });
  return (
    <ConfirmWrite
      write={leave}
      isOpen={isOpen}
      onClose={onClose}
      words={words.leave}
      typedName={name}
      onDone={() => void refreshSession()}
    />
  );
}
