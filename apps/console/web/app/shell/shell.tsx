import { Outlet, useMatches } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, memo, Suspense, useState } from 'react';
import { OperatorContact } from '../../frame/operator-contact';
import { Page } from '../../frame/page';
import { OrganizationContext, useOrganization } from '../../session/organization';
import { type Organization } from '../../session/session';
import { lazyPart } from '../../ui/loading/lazy-part';
import { PopupContainerContext } from '../../ui/popup-container';
import { WarningNote } from '../../ui/states/notes';
import { Attendance } from './attendance';
import { useChosenOrganization } from './chosen-organization';
import { DroppedNotice, useForgottenNotices } from './dropped-notice';
import { Header } from './header';
import { Navigation } from './navigation';
import { NoOrganization } from './no-organization';
import { OpenIncidents } from './open-incidents';
import styles from './shell.module.css';

const NoPermission = lazyPart(async () => (await import('../../ui/states/no-permission')).NoPermission);

/** The frame around every page: header, navigation, and what must be seen whatever page is open. */
export function Shell(): ReactElement {
  const chosen = useChosenOrganization();
  useForgottenNotices();
  if (chosen.organization === null) return <NoOrganization lost={chosen.lost} />;
  return (
    <OrganizationContext value={chosen.organization}>
      <Frame>
        <Banners organization={chosen.organization} />
        <PermittedPage key={chosen.organization.id} />
      </Frame>
    </OrganizationContext>
  );
}

/** Popups of the header, of the page and of the tooltips are inside `main`, at its end. */
function Frame({ children }: { readonly children: ReactNode }): ReactElement {
  const [popups, setPopups] = useState<HTMLElement | null>(null);
  return (
    <PopupContainerContext value={popups}>
      <Landmarks popups={setPopups}>{children}</Landmarks>
    </PopupContainerContext>
  );
}

interface LandmarksProps {
  readonly popups: (container: HTMLElement | null) => void;
  readonly children: ReactNode;
}

/** Kept as it is when the place of the popups is known: all of the page is in it. */
const Landmarks = memo(function Landmarks({ popups, children }: LandmarksProps): ReactElement {
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header />
      <div className={styles.columns}>
        <div className={styles.side}>
          <Navigation />
        </div>
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
          <div ref={popups} />
        </main>
      </div>
      <Attendance />
    </>
  );
});

function Banners({ organization }: { readonly organization: Organization }): ReactElement {
  const { permission, listsIncidents: isListed = false } = useFacts() ?? {};
  const listsIncidents =
    isListed && permission !== undefined && organization.permissions.includes(permission);
  return (
    <>
      {organization.state === 'suspended' && (
        <div className={styles.banner}>
          <WarningNote>
            This organization is suspended: its calls are refused. Ask the operator of this installation.
            <OperatorContact />
          </WarningNote>
        </div>
      )}
      {!listsIncidents && <OpenIncidents />}
      <DroppedNotice />
    </>
  );
}

/** The facts of the page of the address. */
const useFacts = () => useMatches({ select: (matches) => matches.at(-1)?.staticData });

/** The page of the address, or the sentence that says who may see it. */
function PermittedPage(): ReactElement {
  const { permissions } = useOrganization();
  const { permission, title = 'Page', what = 'this page' } = useFacts() ?? {};
  if (permission === undefined || permissions.includes(permission)) return <Outlet />;
  return (
    <Page title={title}>
      <Suspense>
        <NoPermission permission={permission} what={what} />
      </Suspense>
    </Page>
  );
}
