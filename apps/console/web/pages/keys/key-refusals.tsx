import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { refusalWords } from '../../calls/outcome-words';
import { formatPlural } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Filled } from '../../ui/text/filled';
import { Time } from '../../ui/text/time';
import styles from './keys.module.css';
import { text } from './text';

const words = text.key.refusals;

/** Why calls of the key were refused in the last 24 hours, and the way to all of them. */
export function KeyRefusals({ keyId }: { readonly keyId: string }): ReactElement {
  const query = { api_key_id: keyId, group_by: 'code' };
  const refusals = useRead('/usage/refusals', { params: { query } });
  const all = (
    <PageLink to="/refusals" search={{ key: keyId }}>
      {words.all}
    </PageLink>
  );
  return (
    <Section title={words.title} actions={all}>
      <Result of={refusals} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <ul className={styles.list}>
              {data.map(({ code = '', count, last_at: at }) => (
                <li key={code}>
                  <Filled
                    sentence={words.some(formatPlural(count, 'call'))}
                    places={{ reason: <Reason keyId={keyId} code={code} />, at: <Time at={at} /> }}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Result>
    </Section>
  );
}

const Reason = ({ keyId, code }: { readonly keyId: string; readonly code: string }): ReactElement => (
  <PageLink to="/refusals" search={{ key: keyId, code }}>
    {visibleText(refusalWords(code))}
  </PageLink>
);
