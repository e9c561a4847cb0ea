import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { idOf } from '../../browser/address';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Result } from '../../ui/states/result';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { AppActions } from './app-actions';
import { Authorization } from './authorization';
import { type OauthApp } from './oauth-app';
import styles from './oauth-apps.module.css';
import { oauthAppRoute, oauthAppsRoute } from './route';
import { stateWords, text, typeWords } from './text';
import { useScopes } from './use-scopes';

const words = text.one;
const parent = <Link to={oauthAppsRoute.to}>{words.parent}</Link>;

export function OauthAppPage(): ReactElement {
  const { appId } = oauthAppRoute.useParams();
  const app = useRead('/oauth-apps/{app_id}', { params: { path: { app_id: appId } } });
  return (
    <ReadPage of={app} words={words} parent={parent}>
      {(data) => <OneApp app={data} />}
    </ReadPage>
  );
}

function OneApp({ app }: { readonly app: OauthApp }): ReactElement {
  const canWrite = useCan('oauth_app:write');
  return (
    <Page
      title={app.name}
      parent={parent}
      subtitle={<Badge tone={app.state === 'active' ? 'good' : 'neutral'}>{stateWords[app.state]}</Badge>}
      actions={canWrite && <AppActions app={app} />}
    >
      <About app={app} />
      <Consent app={app} />
      {app.state === 'active' && <Authorization app={app} />}
    </Page>
  );
}

function About({ app }: { readonly app: OauthApp }): ReactElement {
  const canReadGrants = useCan('grant:read');
  return (
    <Section
      title={words.facts}
      actions={
        canReadGrants && (
          <Link to={oauthAppsRoute.to} search={{ tab: 'grants', app: idOf('oauthApp')([app.id]) }}>
            {words.grants}
          </Link>
        )
      }
    >
      <Facts
        of={[
          [words.id, <Id key="" id={app.id} />],
          [words.clientId, <Id key="" id={app.client_id} />],
          [words.type, typeWords[app.app_type]],
          [words.secret, app.has_secret ? words.hasSecret : words.noSecret],
          [words.homepage, app.homepage === null ? words.none : <Name key="">{app.homepage}</Name>],
          [words.registered, <Time key="" at={app.created_at} as="instant" />],
          [words.updated, <Time key="" at={app.updated_at} as="instant" />],
          ...(app.revoked_at === null
            ? []
            : [[words.revokedAt, <Time key="" at={app.revoked_at} as="instant" />] as const]),
          [words.uris, <Uris key="" of={app.redirect_uris} />],
        ]}
      />
    </Section>
  );
}

const Uris = ({ of }: { readonly of: readonly string[] }): ReactElement => (
  <ul className={styles.list}>
    {of.map((uri) => (
      <li key={uri}>
        <code>
          <Name>{uri}</Name>
        </code>
      </li>
    ))}
  </ul>
);

/** The words that members read before they consent. */
function Consent({ app }: { readonly app: OauthApp }): ReactElement {
  const scopes = useScopes();
  return (
    <Section title={words.consent}>
      <p className="muted">{words.consentPurpose}</p>
      <Result of={scopes} lines={3}>
        {({ data }) => (
          <ul>
            {data
              .filter(({ scope }) => app.scopes.includes(scope))
              .map(({ scope, description }) => (
                <li key={scope}>
                  {description} <code>{scope}</code>
                </li>
              ))}
          </ul>
        )}
      </Result>
    </Section>
  );
}
