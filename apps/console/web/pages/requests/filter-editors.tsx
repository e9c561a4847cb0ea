import { type ReactElement } from 'react';
import { WordEditor } from '../../ui/filters/word-filter';
import { requestList, type FilterKey, type RequestsAddress } from './list';
import { text } from './text';

const { hints } = text;
const hintOf: Partial<Record<FilterKey, string>> = {
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
export const TextEditor = ({ of, value, onApply }: TextEditorProps): ReactElement => (
  <WordEditor
    label={text.filters[of]}
    hint={hintOf[of]}
    value={value}
    takes={([word = '']) => requestList.filters[of].takes([word.replace(/\s*,\s*/g, ',')])}
    problem={text.notValid}
    maxLength={2000}
    onApply={(read) => onApply({ [of]: read })}
  />
);
