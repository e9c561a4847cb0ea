import { type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { type SnippetOperation } from '../../calls/languages';
import { type JsonObject } from '../../calls/literals';
import { useCan } from '../../session/organization';
import { callBody } from './call-body';
import { fieldsOf, othersOf, parametersOf, type ParameterName, type TypedParameters } from './parameters';
import { isKey, nextKey, noKey, type PastedKey } from './pasted-key';
import { playgroundRoute } from './route';
import { type KeySource } from './run-call';
import { type Settings } from './use-conversation';
import { useModels, type OfferedModels } from './use-models';
import { usePlaygroundKey, type PlaygroundKey } from './use-playground-key';

export type KeyKind = 'minted' | 'pasted';
type Address = ReturnType<typeof playgroundRoute.useSearch>;

/** How the page is set. What is of no secret and no prompt is in the address. */
export interface PlaygroundSettings {
  readonly offered: UseQueryResult<OfferedModels>;
  readonly models: readonly string[];
  readonly operation: SnippetOperation;
  readonly projectId: string | null;
  readonly isStreamed: boolean;
  readonly isStrict: boolean;
  readonly system: string;
  readonly typed: TypedParameters;
  readonly others: string;
  /** The names of all parameters that a call could have. */
  readonly names: readonly string[];
  readonly canMint: boolean;
  readonly keyKind: KeyKind;
  readonly pasted: PastedKey;
  readonly setAddress: (change: Partial<Address>) => void;
  readonly setSystem: (system: string) => void;
  readonly setParameter: (name: ParameterName, value: string) => void;
  readonly setOthers: (others: string) => void;
  readonly setKeyKind: (kind: KeyKind) => void;
  readonly setSecret: (secret: string) => void;
  /** The settings of a call; null while something of it is missing or wrong. */
  readonly ready: Settings | null;
}

/** Without a limit a call holds what the longest answer would cost, and the route of messages wants one. */
const DEFAULTS: TypedParameters = { max_completion_tokens: '1024', max_tokens: '1024' };

export function useSettings(): PlaygroundSettings {
  const address = playgroundRoute.useSearch();
  const navigate = playgroundRoute.useNavigate();
  const [system, setSystem] = useState('');
  const [typed, setTyped] = useState(DEFAULTS);
  const [others, setOthers] = useState('');
  const [chosenKind, setKeyKind] = useState<KeyKind>('minted');
  const [pasted, setPasted] = useState(noKey);
  const minted = usePlaygroundKey();
  const canInvoke = useCan('inference:invoke');
  const canMint = useCan('key:create') && canInvoke;
  const keyKind = canMint ? chosenKind : 'pasted';
  const operation = address.route === 'messages' ? 'messages' : 'chat_completions';
  const offered = useModels(operation, pasted);
  const first = offered.data?.first ?? null;
  const models = address.model ?? (first === null ? [] : [first]);
  const isStreamed = address.stream ?? true;
  const isStrict = address.strict ?? false;
  const projectId = address.project ?? null;
  const parameters = parametersOf(operation, typed, others);
  const hasKey = keyKind === 'minted' || isKey(pasted.secret);
  return {
    ...{ offered, models, operation, projectId, isStreamed, isStrict, system, typed, others },
    ...{ canMint, keyKind, pasted, setSystem, setOthers, setKeyKind },
    names: [...fieldsOf(operation).map(([name]) => name), ...Object.keys(othersOf(others) ?? {})],
    setAddress: (change) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    setParameter: (name, value) => setTyped((before) => ({ ...before, [name]: value })),
    setSecret: (secret) => setPasted(nextKey(pasted, secret)),
    ready:
      models.length === 0 || !hasKey || parameters === null
        ? null
        : {
            operation,
            models,
            key: keyKind === 'minted' ? mintedSource(minted, projectId) : pastedSource(pasted),
            bodyFor: (model, messages): JsonObject =>
              callBody({ operation, model, system, messages, parameters, isStreamed, isStrict }),
          },
  };
}

const mintedSource = (key: PlaygroundKey, projectId: string | null): KeySource => ({
  secret: () => key.secretFor(projectId),
  refused: async (secret) => {
    await key.forget(secret);
    return true;
  },
});

const pastedSource = ({ secret }: PastedKey): KeySource => ({
  secret: () => Promise.resolve(secret),
  refused: () => Promise.resolve(false),
});
