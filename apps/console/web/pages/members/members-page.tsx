import { type ReactElement } from 'react';
import { useOpened } from '../../browser/opened';
import { Page } from '../../frame/page';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { Tabs } from '../../ui/tabs/tabs';
import { Invitations } from './invitations';
import { InviteMember } from './invite-member';
import { MemberList } from './member-list';
import { Roles } from './roles-tab';
import { membersRoute } from './route';
import { text } from './text';

export function MembersPage(): ReactElement {
  const { tab = 'members' } = membersRoute.useSearch();
  const navigate = membersRoute.useNavigate();
  const canWrite = useCan('member:write');
  const inviting = useOpened('invite');
  const inviteButton = canWrite && <AddButton onClick={inviting.open}>{text.invite}</AddButton>;
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
      {canWrite && <InviteMember {...inviting.dialog} />}
    </Page>
  );
}
