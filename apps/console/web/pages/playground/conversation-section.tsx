import { type ReactElement } from 'react';
import { visibleLines, visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Name } from '../../ui/text/id';
import { AnswerView } from './answer-view';
import { type Turn } from './conversation';
import styles from './playground.module.css';
import { text } from './text';

const words = text.answer;

interface ConversationSectionProps {
  readonly turns: readonly Turn[];
  /** In the order of their columns. */
  readonly models: readonly string[];
  readonly onAgain: ((turn: Turn, model: string) => void) | null;
}

/** The conversation, a column a model. A model that is no longer chosen stays as long as its answers. */
export function ConversationSection({ turns, models, onAgain }: ConversationSectionProps): ReactElement {
  const asked = turns.flatMap(({ answers }) => [...answers.keys()]);
  const columns = [...new Set([...models, ...asked])].filter((model) => asked.includes(model));
  return (
    <Section title={words.section}>
      <div className={styles.columns}>
        {(columns.length === 0 ? models.slice(0, 1) : columns).map((model) => (
          <div key={model} className={styles.column}>
            <h3>
              <Name>{model}</Name>
            </h3>
            <div role="log" aria-label={words.log(visibleText(model))} className={styles.log}>
              {turns.map((turn) => {
                const answer = turn.answers.get(model);
                if (answer === undefined) return null;
                return (
                  <div key={turn.id} className={styles.turn}>
                    <div className={styles.prompt}>
                      <span className={styles.term}>{words.you}</span>
                      <p className={styles.prose} dir="auto">
                        {visibleLines(turn.prompt)}
                      </p>
                    </div>
                    <AnswerView of={answer} onAgain={onAgain === null ? null : () => onAgain(turn, model)} />
                  </div>
                );
              })}
            </div>
          </div>
        ))}
      </div>
    </Section>
  );
}
