import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useCatalog } from '../../api/use-catalog';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Note, WarningNote } from '../../ui/states/notes';
import { Tabs } from '../../ui/tabs/tabs';
import { CodeSample, Mark } from '../../ui/text/code-sample';
import { Id } from '../../ui/text/id';
import { cheapestModel } from './cheapest-model';
import { languages, operationOf, type Language } from './languages';
import { startRoute } from './route';
import { codeOf, snippetOf, type Part } from './snippets';
import { Step } from './step';
import { text } from './text';
import styles from './start.module.css';

export interface CallStepProps {
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
          label: words.languages[language],
          panel: <Snippet language={language} secret={secret} />,
        }))}
      />
    </Step>
  );
}

function Snippet({
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
  const parts = snippetOf(language, {
    origin: window.location.origin,
    key: secret ?? words.noKey,
    model: model ?? words.noModel,
  });
  return (
    <div className={styles.snippet}>
      <SetUp language={language} />
      <CodeSample label={words.languages[language]} code={codeOf(parts)}>
        {parts.map((part, place) => (
          <Coloured key={place} part={part} isMasked={secret !== null && !isShown} />
        ))}
      </CodeSample>
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

const MASK = '••••••••';
const PREFIX_LENGTH = 'svc_sk_'.length;

function Coloured({ part, isMasked }: { readonly part: Part; readonly isMasked: boolean }): ReactElement {
  const shown = part.isSecret && isMasked ? part.text.slice(0, PREFIX_LENGTH) + MASK : part.text;
  return part.as === undefined ? <>{shown}</> : <Mark as={part.as}>{shown}</Mark>;
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
  return <WarningNote>{text.call.emptyWallet}</WarningNote>;
}
