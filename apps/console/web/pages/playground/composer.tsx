import { type ReactElement, useState } from 'react';
import { Section } from '../../frame/page';
import { Button } from '../../ui/button/button';
import { TextArea } from '../../ui/fields/text-field';
import { PlayIcon, StopIcon } from '../../ui/icons/later-icons';
import styles from './playground.module.css';
import { text } from './text';

const words = text.composer;

interface ComposerProps {
  readonly isRunning: boolean;
  /** @returns whether it was sent: it is not while the settings are wrong. */
  readonly onSend: (prompt: string) => boolean;
  readonly onStop: () => void;
  /** Null while nothing was said. */
  readonly onClear: (() => void) | null;
}

/** The next message. */
export function Composer({ isRunning, onSend, onStop, onClear }: ComposerProps): ReactElement {
  const [prompt, setPrompt] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const send = () => {
    if (isRunning) return;
    if (prompt.trim() === '') setProblem(words.empty);
    else if (onSend(prompt)) {
      setPrompt('');
      setProblem(null);
    } else setProblem(words.wrong);
  };
  return (
    <Section title={words.title}>
      <TextArea
        label={words.label}
        hint={words.hint}
        problem={problem}
        value={prompt}
        onChange={setPrompt}
        onSubmit={send}
        rows={3}
      />
      <div className={styles.buttons}>
        {onClear !== null && <Button onClick={onClear}>{words.clear}</Button>}
        <Button icon={<StopIcon />} onClick={onStop} disabledReason={isRunning ? null : words.nothingRuns}>
          {words.stop}
        </Button>
        <Button variant="primary" icon={<PlayIcon />} isBusy={isRunning} onClick={send}>
          {words.send}
        </Button>
      </div>
    </Section>
  );
}
