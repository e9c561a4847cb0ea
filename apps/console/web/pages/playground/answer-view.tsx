import { type ReactElement } from 'react';
import { ApiError } from '../../api/api-error';
import { visibleLines, visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { RetryIcon } from '../../ui/icons/later-icons';
import { ErrorNote } from '../../ui/states/error-note';
import { Note, WarningNote } from '../../ui/states/notes';
import { AnswerFacts } from './answer-facts';
import { AnswerText } from './answer-text';
import { type CallWarning } from './answer-parts';
import { type Answer } from './conversation';
import styles from './playground.module.css';
import { text } from './text';

const words = text.answer;

interface AnswerViewProps {
  readonly of: Answer;
  /** Asks again; null while the settings are not complete. */
  readonly onAgain: (() => void) | null;
}

/** The answer so far, and the end of the call. */
export function AnswerView({ of: answer, onAgain }: AnswerViewProps): ReactElement {
  const { phase, text: said, reasoning, tools } = answer;
  const isOver = phase !== 'running';
  const isSilent = said + reasoning + tools === '';
  return (
    <div className={styles.answer}>
      {!isOver && isSilent && <p className="muted">{words.waiting}</p>}
      {reasoning !== '' && (
        <details>
          <summary>{words.reasoning}</summary>
          <p className={styles.prose}>{visibleLines(reasoning)}</p>
        </details>
      )}
      <AnswerText of={said} isWhole={isOver} />
      {tools !== '' && (
        <div className={styles.fenced}>
          <span className="muted">{words.tools}</span>
          <pre>
            <code>{visibleLines(tools.trim())}</code>
          </pre>
        </div>
      )}
      {phase === 'ended' && isSilent && <p className="muted">{words.nothing}</p>}
      {phase === 'stopped' && <Note>{words.stopped}</Note>}
      {phase === 'failed' && <Failure error={answer.error} onAgain={onAgain} />}
      {isOver && (
        <div className={styles.facts} aria-live="off">
          <Warnings of={answer.warnings} />
          <AnswerFacts of={answer} />
        </div>
      )}
    </div>
  );
}

function Failure({
  error,
  onAgain,
}: {
  readonly error: Error | null;
  readonly onAgain: (() => void) | null;
}): ReactElement {
  const remedy = error instanceof ApiError ? words.remedy(error.code) : null;
  return (
    <>
      <ErrorNote error={error} />
      {remedy !== null && <p>{remedy}</p>}
      {onAgain !== null && (
        <div>
          <Button icon={<RetryIcon />} onClick={onAgain}>
            {words.again}
          </Button>
        </div>
      )}
    </>
  );
}

function Warnings({ of }: { readonly of: readonly CallWarning[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <WarningNote>
      <p>{text.facts.warningCount(of.length)}</p>
      <ul className={styles.list} aria-label={text.facts.warnings}>
        {of.map(({ param, message }, place) => (
          <li key={place}>
            <code>{visibleText(param)}</code>: {visibleLines(message)}
          </li>
        ))}
      </ul>
    </WarningNote>
  );
}
