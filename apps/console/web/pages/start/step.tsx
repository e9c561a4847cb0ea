import { type ReactElement, type ReactNode } from 'react';
import { Section } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { text } from './text';

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

/** One of the steps. Done, it says so. */
export function Step({ title, isDone, children }: StepProps): ReactElement {
  return (
    <Section title={title} actions={isDone && <Badge tone="good">{text.done}</Badge>}>
      {children}
    </Section>
  );
}
