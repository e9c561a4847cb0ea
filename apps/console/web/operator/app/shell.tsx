import { Outlet } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { copyExactAmounts } from '../../app/shell/copied-amounts';
import { DroppedNotice, useForgottenNotices } from '../../app/shell/dropped-notice';
import styles from '../../app/shell/shell.module.css';
import { PopupContainerContext } from '../../ui/popup-container';
import { StatusRegion } from '../../ui/status/status-region';
import { Tooltips } from '../../ui/tooltip/tooltips';
import { watchIdleness } from '../session/idle';
import { tokenStore, useOperatorSession } from '../session/token-store';
import { Header } from './header';
import { Navigation } from './navigation';
import { SignInPage } from './sign-in/sign-in-page';
import { TokenDialog } from './sign-in/token-dialog';

/** Every page, or the page that asks who is there. */
export function Shell(): ReactElement {
  const session = useOperatorSession();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (session.phase !== 'out' && !wasSignedIn) setWasSignedIn(true);
  if (session.phase === 'out') return <SignInPage wasSignedIn={wasSignedIn} />;
  return (
    <>
      <Frame />
      <TokenDialog reason={session.phase === 'ended' ? session.reason : null} />
    </>
  );
}

/** Popups of the header, of the page and of the tooltips are inside `main`, at its end. */
function Frame(): ReactElement {
  const [popups, setPopups] = useState<HTMLElement | null>(null);
  useForgottenNotices();
  useEffect(() => copyExactAmounts(), []);
  useEffect(() => watchIdleness(() => tokenStore.end('idle')), []);
  return (
    <PopupContainerContext value={popups}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header />
      <div className={styles.columns}>
        <div className={styles.side}>
          <Navigation />
        </div>
        <main id="content" className={styles.content} tabIndex={-1}>
          <DroppedNotice />
          <Outlet />
          <div ref={setPopups} />
          <Tooltips />
        </main>
      </div>
      <StatusRegion />
    </PopupContainerContext>
  );
}
