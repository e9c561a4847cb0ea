import { type ReactElement, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { Page } from '../../frame/page';
import { useCan, useOrganization } from '../../session/organization';
import { Note } from '../../ui/states/notes';
import { Money } from '../../ui/text/money';
import { CodeSection } from './code-section';
import { Composer } from './composer';
import { type Turn } from './conversation';
import { ConversationSection } from './conversation-section';
import styles from './playground.module.css';
import { SettingsSection } from './settings-section';
import { text } from './text';
import { useConversation } from './use-conversation';
import { useSettings } from './use-settings';

/** A model, tried through the real edge. Nothing that is said here is kept. */
export function PlaygroundPage(): ReactElement {
  const settings = useSettings();
  const conversation = useConversation();
  const [isTried, setTried] = useState(false);
  const { turns, isRunning, again } = conversation;
  const { ready } = settings;
  const last = turns.at(-1);
  const send = (prompt: string): boolean => {
    setTried(true);
    if (ready === null) return false;
    conversation.send(prompt, ready);
    return true;
  };
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <div className={styles.page}>
        <div className={styles.side}>
          {turns.length === 0 ? (
            <RealCalls />
          ) : (
            <ConversationSection
              turns={turns}
              models={settings.models}
              onAgain={ready === null ? null : (turn, model) => again(turn, model, ready)}
            />
          )}
          <Composer
            isRunning={isRunning}
            onSend={send}
            onStop={conversation.stop}
            onClear={turns.length === 0 ? null : conversation.clear}
          />
          {last !== undefined && <CodeSection of={last} />}
        </div>
        <SettingsSection settings={settings} isTried={isTried} refused={refusedBy(last)} />
      </div>
    </Page>
  );
}

/** Before the first call: it costs money. */
function RealCalls(): ReactElement {
  const { name } = useOrganization();
  const wallet = useRead('/wallet', {}, { enabled: useCan('wallet:read') });
  return (
    <Note>
      {text.real(visibleText(name))}{' '}
      {wallet.data !== undefined && (
        <>
          {text.available} <Money amount={wallet.data.available_nanos} />.
        </>
      )}
    </Note>
  );
}

/** Problems for which the last calls were refused, by the name of the parameter. */
function refusedBy(turn: Turn | undefined): ReadonlyMap<string, string> {
  const errors = [...(turn?.answers.values() ?? [])].map(({ error }) => error);
  return new Map(
    errors.flatMap((error) =>
      error instanceof ApiError && error.param !== null ? [[error.param, error.message] as const] : [],
    ),
  );
}
