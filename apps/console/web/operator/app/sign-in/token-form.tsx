import { type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { TextField } from '../../../ui/fields/text-field';
import { checkToken } from '../../api/transport';
import { isTokenLike, tokenStore } from '../../session/token-store';
import { text } from './text';

interface TokenFormProps {
  readonly input?: RefObject<HTMLInputElement | null>;
  /** A button before "Sign in". */
  readonly leave?: ReactNode;
}

/** Takes the token, and lets nobody on whom the service does not know. */
export function TokenForm({ input, leave }: TokenFormProps): ReactElement {
  const own = useRef<HTMLInputElement>(null);
  const field = input ?? own;
  const { token, setToken, problem, isBusy, error, submit } = useSignIn(field);
  return (
    <Form
      error={error}
      onSubmit={() => void submit()}
      actions={
        <>
          {leave}
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {text.signIn}
          </Button>
        </>
      }
    >
      <TextField
        ref={field}
        label={text.token}
        hint={text.tokenHint}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        problem={problem}
        onChange={setToken}
      />
    </Form>
  );
}

function useSignIn(input: RefObject<HTMLInputElement | null>) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const refuse = (words: string) => {
    setProblem(words);
    input.current?.focus();
  };
  const type = (typed: string) => {
    setToken(typed);
    setProblem(null);
  };
  const submit = async () => {
    if (isBusy) return;
    const entered = token.trim();
    setError(null);
    if (entered === '') return refuse(text.noToken);
    if (!isTokenLike(entered)) return refuse(text.noTokenLike);
    setIsBusy(true);
    try {
      await checkToken(entered);
      setToken('');
      tokenStore.begin(entered);
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === 401) {
        setToken('');
        refuse(text.wrong);
      } else setError(cause instanceof Error ? cause : new Error(text.failed));
    }
    setIsBusy(false);
  };
  return { token, setToken: type, problem, isBusy, error, submit };
}
