import { type ReactElement, useState } from 'react';
import { Section } from '../../frame/page';
import { Tabs } from '../../ui/tabs/tabs';
import { CodeSample } from '../../ui/text/code-sample';
import { text } from './text';
import { verifiers, type VerifierLanguage } from './verifiers';

const words = text.verify;

/** How a receiver checks that a delivery is from this service, in the words of the user guide. */
export function Verify(): ReactElement {
  const [language, setLanguage] = useState<VerifierLanguage>('TypeScript');
  return (
    <Section title={words.title}>
      <p className="muted">{words.purpose}</p>
      <Tabs
        label={words.languages}
        value={language}
        onChange={setLanguage}
        tabs={verifiers.map((verifier) => ({
          key: verifier.language,
          label: verifier.language,
          panel: verifier.language === language && (
            <CodeSample label={words.label(language)} code={verifier.code} />
          ),
        }))}
      />
    </Section>
  );
}
