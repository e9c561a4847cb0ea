import { type ReactElement } from 'react';
import { visibleLines, visibleText } from '../../format/visible-text';
import { blocksOf, sentencesOf, type Block } from './answer-blocks';
import styles from './playground.module.css';
import { text } from './text';

interface AnswerTextProps {
  readonly of: string;
  readonly isWhole: boolean;
}

/**
 * The text that a model wrote. A screen reader is told each sentence once, when it is whole: until then it is hidden from
 * it, and comes as an addition to the log.
 */
export function AnswerText({ of, isWhole }: AnswerTextProps): ReactElement {
  const blocks = blocksOf(of);
  return (
    <>
      {blocks.map((block, place) => {
        const isDone = isWhole || place < blocks.length - 1;
        return block.kind === 'code' ? (
          <Code key={place} of={block} isDone={isDone || block.isClosed} />
        ) : (
          <Prose key={place} of={block.text} isDone={isDone} />
        );
      })}
    </>
  );
}

function Prose({ of, isDone }: { readonly of: string; readonly isDone: boolean }): ReactElement {
  const sentences = sentencesOf(of);
  const whole = isDone ? sentences : sentences.slice(0, -1);
  const rest = isDone ? undefined : sentences.at(-1);
  return (
    <p className={styles.prose} dir="auto">
      {whole.map((sentence, place) => (
        <span key={place}>{visibleLines(sentence)}</span>
      ))}
      {rest !== undefined && (
        <span key="rest" aria-hidden="true">
          {visibleLines(rest)}
        </span>
      )}
    </p>
  );
}

function Code({ of, isDone }: { readonly of: Block; readonly isDone: boolean }): ReactElement {
  const { language, text: code } = of;
  return (
    <div className={styles.fenced} aria-hidden={isDone ? undefined : true} key={isDone ? 'whole' : 'rest'}>
      <span className="muted">{language === '' ? text.answer.code : visibleText(language)}</span>
      <pre dir="ltr" translate="no">
        <code>{visibleLines(code)}</code>
      </pre>
    </div>
  );
}
