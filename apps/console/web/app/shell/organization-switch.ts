import { useNavigate, useRouterState } from '@tanstack/react-router';

/** Shows the page that is open for another organization: a list from its start, the list in place of one thing. */
export function useOrganizationSwitch(): (organizationId: string) => void {
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (organizationId) => {
    const [section = ''] = path
      .replace(/^\/console/, '')
      .split('/')
      .filter(Boolean);
    void navigate({ href: `/console/${section}?org=${organizationId}`, reloadDocument: false });
  };
}
