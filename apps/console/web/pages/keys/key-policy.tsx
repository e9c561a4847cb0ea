import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { documentOf, type PolicyDocument } from '../../policies/policy';
import { text as policyText } from '../../policies/text';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { WarningNote } from '../../ui/states/notes';
import { type ApiKey } from './key';
import styles from './keys.module.css';
import { policySentences } from './policy-sentences';
import { text } from './text';

const words = text.policy;

/** The limits of the key's own policy, and the addresses from which it may be used. */
export function KeyPolicy({ apiKey: { id } }: { readonly apiKey: ApiKey }): ReactElement {
  const policy = useRead('/keys/{key_id}/policy', { params: { path: { key_id: id } } });
  const links = (
    <span className={styles.links}>
      <PageLink to="/routing" search={{ level: 'effective', key: id }}>
        {words.effective}
      </PageLink>
      <PageLink to="/routing" search={{ level: 'key', key: id }}>
        {words.open}
      </PageLink>
    </span>
  );
  return (
    <Section title={words.title} actions={links}>
      <Result of={policy} lines={3}>
        {(answer) => {
          const document = documentOf('key', answer);
          return (
            <>
              <Sentences of={policySentences(document)} />
              <h3>{words.addresses}</h3>
              <Addresses of={document.allowed_ips} />
            </>
          );
        }}
      </Result>
    </Section>
  );
}

function Sentences({ of: sentences }: { readonly of: readonly string[] }): ReactElement {
  if (sentences.length === 0) return <p className="muted">{words.none}</p>;
  return (
    <>
      <ul className={styles.sentences} aria-label={words.caption}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="muted">{words.purpose}</p>
    </>
  );
}

function Addresses({ of: addresses }: { readonly of: PolicyDocument['allowed_ips'] }): ReactElement {
  if (addresses === null) return <p>{policyText.addresses.any}</p>;
  if (addresses.length === 0) return <WarningNote>{policyText.addresses.nobody}</WarningNote>;
  return (
    <>
      <ul className={styles.list} aria-label={words.addresses}>
        {addresses.map((address) => (
          <li key={address}>
            <code>{visibleText(address)}</code>
          </li>
        ))}
      </ul>
      <p className="muted">{policyText.addresses.unlisted}</p>
    </>
  );
}
