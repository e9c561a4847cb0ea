import { type Session } from './session';
import { sessionStore } from './session-store';

type News = { readonly kind: 'loggedOut' } | { readonly kind: 'loggedIn'; readonly userId: string };

const channel = new BroadcastChannel('svc-session');
const tell = (news: News): void => channel.postMessage(news);

export const announceLogOut = (): void => tell({ kind: 'loggedOut' });
export const announceLogIn = ({ user }: Session): void => tell({ kind: 'loggedIn', userId: user.id });

/**
 * Follows what other tabs do with the session that all of them share. A log-out and another user's login load the page
 * anew; a login of the same user wakes a tab whose session had ended.
 */
export function followOtherTabs(refresh: () => Promise<void>): void {
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    const { phase, session } = sessionStore.get();
    if (data.kind === 'loggedOut' || data.userId !== session.user.id) window.location.reload();
    else if (phase === 'ended') void refresh();
  });
}
