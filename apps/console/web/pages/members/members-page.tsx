import { type ReactElement } from 'react';
import { Page } from '../../app/page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Tabs } from '../../ui/tabs/tabs';
import { Invitations } from './invitations';
import { InviteMember } from './invite-member';
import { MemberList } from './member-list';
import { Roles } from './roles-tab';
import { membersRoute } from './route';
import { text } from './text';

export function MembersPage(): ReactElement {
  const { tab = 'members', invite = false } = membersRoute.useSearch();
  const navigate = membersRoute.useNavigate();
  const canWrite = useCan('member:write');
  const setInviting = (isOpen: boolean) =>
    void navigate({
      search: (address) => ({ ...address, invite: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const inviteButton = canWrite && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setInviting(true)}>
      {text.invite}
    </Button>
  );
  return (
    <Page title={text.title} subtitle={text.purpose} actions={inviteButton}>
      <Tabs
        label={text.tabs.label}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'members' ? undefined : next } })}
        tabs={[
          { key: 'members', label: text.tabs.members, panel: <MemberList /> },
          { key: 'invitations', label: text.tabs.invitations, panel: <Invitations /> },
          { key: 'roles', label: text.tabs.roles, panel: <Roles /> },
        ]}
      />
      {canWrite && <InviteMember isOpen={invite} onClose={() => setInviting(false)} />}
    </Page>
  );
}
