import { type JsonObject } from '../../calls/literals';
import { type SnippetOperation } from '../../calls/languages';
import { joinedParts, noPart, type AnswerPart } from './answer-parts';
import { type Message } from './call-body';

/** One model's answer to one message. */
export interface Answer extends AnswerPart {
  readonly phase: 'running' | 'ended' | 'stopped' | 'failed';
  readonly operation: SnippetOperation;
  /** The message that was sent. */
  readonly body: JsonObject;
  readonly traceId: string;
  /** Null until the answer begins. */
  readonly requestId: string | null;
  readonly error: Error | null;
}

export interface Turn {
  readonly id: number;
  readonly prompt: string;
  /** By the model that was asked. */
  readonly answers: ReadonlyMap<string, Answer>;
}

export const newAnswer = (facts: Pick<Answer, 'operation' | 'body' | 'traceId'>): Answer => ({
  ...noPart,
  ...facts,
  phase: 'running',
  requestId: null,
  error: null,
});

export const withPart = (answer: Answer, part: AnswerPart): Answer => ({
  ...answer,
  ...joinedParts(answer, part),
});

export const withAnswer = (
  turns: readonly Turn[],
  id: number,
  model: string,
  answer: Answer,
): readonly Turn[] =>
  turns.map((turn) =>
    turn.id === id ? { ...turn, answers: new Map(turn.answers).set(model, answer) } : turn,
  );

/** The history that a model is sent with a message: each earlier message that it answered, with its answer. */
export const messagesFor = (earlier: readonly Turn[], model: string, prompt: string): readonly Message[] => [
  ...earlier.flatMap(({ prompt: asked, answers }): readonly Message[] => {
    const said = answers.get(model)?.text ?? '';
    return said === ''
      ? []
      : [
          { role: 'user', content: asked },
          { role: 'assistant', content: said },
        ];
  }),
  { role: 'user', content: prompt },
];

export const isRunning = (turns: readonly Turn[]): boolean =>
  turns.some(({ answers }) => [...answers.values()].some(({ phase }) => phase === 'running'));
