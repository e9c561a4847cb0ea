import { type ReactElement, useState } from 'react';
import { languagesOf, type Language } from '../../calls/languages';
import { Snippet } from '../../calls/snippet';
import { languageWords } from '../../calls/text';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Segmented } from '../../ui/segmented/segmented';
import { Tabs } from '../../ui/tabs/tabs';
import { type Turn } from './conversation';
import { text } from './text';

const words = text.code;

/** The last call as a program makes it. The playground's own key is no part of it: it ends with the page. */
export function CodeSection({ of: { answers } }: { readonly of: Turn }): ReactElement | null {
  const [language, setLanguage] = useState<Language>('curl');
  const [chosen, setChosen] = useState<string | null>(null);
  const models = [...answers.keys()];
  const model = models.find((asked) => asked === chosen) ?? models[0] ?? '';
  const answer = answers.get(model);
  if (answer === undefined) return null;
  const { operation, body } = answer;
  const offered = languagesOf(operation);
  return (
    <Section
      title={words.title}
      actions={
        models.length > 1 && (
          <Segmented
            label={words.of}
            value={model}
            onChange={setChosen}
            choices={models.map((asked) => ({ value: asked, label: visibleText(asked) }))}
          />
        )
      }
    >
      <p className="muted">{words.what}</p>
      <Tabs
        label={words.program}
        value={offered.includes(language) ? language : 'curl'}
        onChange={setLanguage}
        tabs={offered.map((key) => ({
          key,
          label: languageWords[key],
          panel: (
            <Snippet
              language={key}
              facts={{ origin: window.location.origin, key: words.noKey, operation, body }}
            />
          ),
        }))}
      />
    </Section>
  );
}
