import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { useOrganization } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { useSession } from '../../session/session-store';
import { Menu, MenuChoices } from '../../ui/menu/menu';
import { type OnDemandProps } from '../../ui/menu/on-demand-menu';
import { OrganizationButton } from './menu-buttons';

export function OrganizationMenu({ isOpenAtFirst }: OnDemandProps): ReactElement {
  const { organizations } = useSession();
  const { id } = useOrganization();
  const show = useOrganizationSwitch();
  const choices = organizations.map((organization) => ({
    value: organization.id,
    label: visibleText(organization.name),
    note: roleLabel(organization.role),
  }));
  return (
    <Menu align="start" trigger={<OrganizationButton />} isOpenAtFirst={isOpenAtFirst}>
      <MenuChoices label="Organizations" value={id} onChange={show} choices={choices} />
    </Menu>
  );
}

/** Shows the page that is open for another organization: a list from its start, the list in place of one thing. */
function useOrganizationSwitch(): (organizationId: string) => void {
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (organizationId) => {
    const [section = ''] = path.split('/').filter((part) => part !== '' && part !== 'console');
    // Whichever page it is, the organization is in its address.
    const target: object = { to: `/${section}`, search: { org: organizationId } };
    void navigate(target);
  };
}
