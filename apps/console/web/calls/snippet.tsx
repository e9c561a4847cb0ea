import { type ReactElement } from 'react';
import { CodeSample, Mark } from '../ui/text/code-sample';
import { type Language } from './languages';
import { type Part } from './parts';
import { codeOf, snippetOf, type SnippetFacts } from './snippets';
import { languageWords } from './text';

const MASK = '••••••••';
const PREFIX_LENGTH = 'svc_sk_'.length;

interface SnippetProps {
  readonly language: Language;
  readonly facts: SnippetFacts;
  /** Shows the start of the key only. What is copied has all of it. */
  readonly isMasked?: boolean;
}

/** Code that makes a call, to copy. */
export function Snippet({ language, facts, isMasked = false }: SnippetProps): ReactElement {
  const parts = snippetOf(language, facts);
  return (
    <CodeSample label={languageWords[language]} code={codeOf(parts)}>
      {parts.map((part, place) => (
        <Coloured key={place} part={part} isMasked={isMasked} />
      ))}
    </CodeSample>
  );
}

function Coloured({ part, isMasked }: { readonly part: Part; readonly isMasked: boolean }): ReactElement {
  const shown = part.isSecret === true && isMasked ? part.text.slice(0, PREFIX_LENGTH) + MASK : part.text;
  return part.as === undefined ? <>{shown}</> : <Mark as={part.as}>{shown}</Mark>;
}
