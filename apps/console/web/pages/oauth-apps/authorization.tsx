import { type ReactElement, useState } from 'react';
import { Section } from '../../frame/page';
import { Checkbox } from '../../ui/fields/check-field';
import { SelectField } from '../../ui/fields/select-field';
import { CodeSample } from '../../ui/text/code-sample';
import { authorizeUrl, EXAMPLE_VERIFIER, type OauthApp, type Scope } from './oauth-app';
import styles from './oauth-apps.module.css';
import { text } from './text';

const words = text.one;

/** The address that begins an authorization, for a redirect URI and scopes, and what exchanges its code. */
export function Authorization({ app }: { readonly app: OauthApp }): ReactElement {
  const [uri, setUri] = useState(app.redirect_uris[0] ?? '');
  const [scopes, setScopes] = useState<readonly Scope[]>(app.scopes);
  const { origin } = location;
  const redirectUri = app.redirect_uris.includes(uri) ? uri : (app.redirect_uris[0] ?? '');
  const asked = app.scopes.filter((scope) => scopes.includes(scope));
  const url = authorizeUrl({ origin, clientId: app.client_id, redirectUri, scopes: asked });
  return (
    <Section title={words.authorize}>
      <p className="muted">{words.authorizePurpose}</p>
      <SelectField
        label={words.uri}
        value={redirectUri}
        onChange={setUri}
        choices={app.redirect_uris.map((value) => ({ value, label: value }))}
      />
      <fieldset className={styles.scopes}>
        <legend>{text.columns.scopes}</legend>
        {app.scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            isChecked={asked.includes(scope)}
            onChange={(isOn) =>
              setScopes(isOn ? [...asked, scope] : asked.filter((other) => other !== scope))
            }
          />
        ))}
      </fieldset>
      <CodeSample label={words.authorizeLabel} code={url} />
      <h3>{words.exchange}</h3>
      <CodeSample label={words.exchangeLabel} code={exchangeOf(app, origin, redirectUri)} />
    </Section>
  );
}

/** The secret is a variable of the environment, never a part of the code. */
function exchangeOf(app: OauthApp, origin: string, redirectUri: string): string {
  const secret = app.has_secret ? ['  --data-urlencode "client_secret=$CLIENT_SECRET"'] : [];
  return [
    `curl ${origin}/api/v1/oauth/token`,
    '  --data-urlencode grant_type=authorization_code',
    '  --data-urlencode "code=$CODE"',
    `  --data-urlencode '${`redirect_uri=${redirectUri}`.replaceAll("'", "'\\''")}'`,
    `  --data-urlencode code_verifier=${EXAMPLE_VERIFIER}`,
    `  --data-urlencode client_id=${app.client_id}`,
    ...secret,
  ].join(' \\\n');
}
