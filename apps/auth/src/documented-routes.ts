import { type DocumentedRoutes } from '@svc/platform/api';
import { oauthPaths, OAUTH_TAG } from './documented-oauth-paths';
import { sessionPaths, SESSIONS_TAG } from './documented-session-paths';

/** What the document tells of the routes here that no resource declares: pages, and OAuth's own protocol. */
export const authRoutes: DocumentedRoutes = {
  tags: [
    { name: SESSIONS_TAG, description: 'How people log in, for browsers by form and for programs by JSON.' },
    { name: OAUTH_TAG, description: 'What an app does with a member’s consent.' },
  ],
  paths: { ...sessionPaths, ...oauthPaths },
};
