import { type ReactElement } from 'react';
import { type ModelRequest } from '../../calls/request';
import { PageLink } from '../../ui/page-link';
import styles from './requests.module.css';
import { text } from './text';

const words = text.one.policies;

/** The versions of the policies that the call was planned by, each with a link to that level's policy. */
export function PolicyVersions({ of: call }: { readonly of: ModelRequest }): ReactElement | string {
  const { policy_versions: versions, project_id: project, api_key_id: key } = call;
  if (versions === null) return text.none;
  return (
    <ul className={styles.list}>
      <li>
        <PageLink to="/routing">{words.organization(versions.organization)}</PageLink>
      </li>
      {versions.project !== null && project !== null && (
        <li>
          <PageLink to="/routing" search={{ level: 'project', project }}>
            {words.project(versions.project)}
          </PageLink>
        </li>
      )}
      <li>
        <PageLink to="/routing" search={{ level: 'key', key }}>
          {words.key(versions.key)}
        </PageLink>
      </li>
    </ul>
  );
}
