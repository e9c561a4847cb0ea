import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useCatalog } from '../../api/use-catalog';
import { cheapestModel } from '../../calls/cheapest-model';
import { CreditAdvice } from '../../calls/credit-advice';
import { languages, operationOf, type Language } from '../../calls/languages';
import { Snippet } from '../../calls/snippet';
import { languageWords } from '../../calls/text';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Note, WarningNote } from '../../ui/states/notes';
import { Tabs } from '../../ui/tabs/tabs';
import { Id } from '../../ui/text/id';
import { startRoute } from './route';
import { Step } from './step';
import { text } from './text';
import styles from './start.module.css';

const TOKENS_MAX = 100;

interface CallStepProps {
  /** Null while no key was created on the page. */
  readonly secret: string | null;
  readonly canCreate: boolean;
  readonly isDone: boolean;
}

/** The call in five programs, with address, key and model filled in. */
export function CallStep({ secret, canCreate, isDone }: CallStepProps): ReactElement {
  const { code = 'curl' } = startRoute.useSearch();
  const navigate = startRoute.useNavigate();
  const words = text.call;
  return (
    <Step title={words.title} isDone={isDone}>
      <EmptyWallet />
      {!canCreate && (
        <Note>
          {text.key.ask} {words.noKeyNote}
        </Note>
      )}
      <Tabs
        label={words.tabs}
        value={code}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, code: next }),
            replace: true,
            resetScroll: false,
          })
        }
        tabs={languages.map((language) => ({
          key: language,
          label: languageWords[language],
          panel: <LanguagePanel language={language} secret={secret} />,
        }))}
      />
    </Step>
  );
}

function LanguagePanel({
  language,
  secret,
}: {
  readonly language: Language;
  readonly secret: string | null;
}): ReactElement {
  const [isShown, setShown] = useState(false);
  const { model: chosen } = startRoute.useSearch();
  const { data: models } = useCatalog();
  const words = text.call;
  const cheapest = models === undefined ? null : cheapestModel(models, operationOf(language));
  const model = chosen ?? cheapest;
  const facts = {
    origin: window.location.origin,
    key: secret ?? words.noKey,
    operation: operationOf(language),
    body: {
      model: model ?? words.noModel,
      max_tokens: TOKENS_MAX,
      messages: [{ role: 'user', content: words.prompt }],
    },
  };
  return (
    <div className={styles.snippet}>
      <SetUp language={language} />
      <Snippet language={language} facts={facts} isMasked={secret !== null && !isShown} />
      <div className={styles.under}>
        {model !== null && (
          <p className="muted">
            {chosen === undefined ? words.model : words.chosen} <Id id={model} />
          </p>
        )}
        {models !== undefined && model === null && <WarningNote>{words.nothingEligible}</WarningNote>}
        {model === null && models === undefined && <p className="muted">{words.noModelNote}</p>}
        {secret !== null && (
          <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? words.hide : words.show}
          </Button>
        )}
      </div>
    </div>
  );
}

function SetUp({ language }: { readonly language: Language }): ReactElement {
  const words = text.call;
  const setUp = words.setUp[language];
  if (setUp === null) return <p>{words.inShell}</p>;
  return (
    <p>
      {words.install} <code>{setUp.command}</code>, {words.save} <code>{setUp.file}</code>, {words.run}{' '}
      <code>{setUp.run}</code>.
    </p>
  );
}

function EmptyWallet(): ReactElement | null {
  const wallet = useRead('/wallet', {}, { enabled: useCan('wallet:read') });
  if (wallet.data === undefined || wallet.data.available_nanos > 0n) return null;
  return (
    <WarningNote>
      {text.call.emptyWallet} <CreditAdvice />
    </WarningNote>
  );
}
