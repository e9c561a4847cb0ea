import { type ReactElement, useState } from 'react';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextField } from '../../ui/fields/text-field';
import { type FilterKey } from './request-query';
import { schema, type RequestsAddress } from './schema';
import { text } from './text';

const { hints } = text;
const hintOf: Partial<Record<FilterKey, string>> = {
  model: hints.several,
  provider: hints.several,
  key: hints.several,
  project: hints.several,
  http_status: hints.several,
  error: hints.several,
  attempts: hints.attempts,
  cost: hints.cost,
  duration: hints.milliseconds,
  first_token: hints.milliseconds,
  session: hints.session,
};

interface TextEditorProps {
  readonly of: FilterKey;
  readonly value: string;
  readonly onApply: (change: RequestsAddress) => void;
}

/** A filter as it is written in the address: what the address would drop is refused here. */
export function TextEditor({ of, value, onApply }: TextEditorProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const word = typed.trim().replace(/\s*,\s*/g, ',');
    const change = word === '' ? { [of]: undefined } : readFilter(of, word);
    if (change === null) setProblem(text.notValid);
    else onApply(change);
  };
  return (
    <Form error={null} onSubmit={apply} actions={<Button type="submit">{text.apply}</Button>}>
      <TextField
        label={text.filters[of]}
        hint={hintOf[of]}
        problem={problem}
        value={typed}
        onChange={setTyped}
        maxLength={2000}
      />
    </Form>
  );
}

function readFilter(key: FilterKey, word: string): RequestsAddress | null {
  const value = schema[key]([word]);
  return value === undefined ? null : { [key]: value };
}
