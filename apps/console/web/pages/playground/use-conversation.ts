import { useEffect, useRef, useState } from 'react';
import { type SnippetOperation } from '../../calls/languages';
import { type JsonObject } from '../../calls/literals';
import { type Message } from './call-body';
import { isRunning, messagesFor, withAnswer, type Turn } from './conversation';
import { runCall, type KeySource } from './run-call';

/** How the page is set when a message is sent. */
export interface Settings {
  readonly operation: SnippetOperation;
  readonly models: readonly string[];
  readonly key: KeySource;
  readonly bodyFor: (model: string, messages: readonly Message[]) => JsonObject;
}

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  /** Asks each model. */
  readonly send: (prompt: string, settings: Settings) => void;
  /** Asks one model again, with the settings of now. */
  readonly again: (turn: Turn, model: string, settings: Settings) => void;
  /** Hangs up on every call that runs. */
  readonly stop: () => void;
  readonly clear: () => void;
}

/** The conversation, in memory only: it is gone when the page is left, and so are the calls that run. */
export function useConversation(): Conversation {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef(new Set<AbortController>());
  const lastId = useRef(0);
  const stop = () => {
    for (const controller of running.current) controller.abort();
  };
  useEffect(() => {
    const calls = running.current;
    return () => {
      for (const controller of calls) controller.abort();
    };
  }, []);
  const askModel = ({ id, prompt }: Turn, earlier: readonly Turn[], model: string, settings: Settings) => {
    const controller = new AbortController();
    running.current.add(controller);
    void runCall({
      operation: settings.operation,
      body: settings.bodyFor(model, messagesFor(earlier, model, prompt)),
      key: settings.key,
      signal: controller.signal,
      onChange: (answer) => setTurns((before) => withAnswer(before, id, model, answer)),
    }).finally(() => running.current.delete(controller));
  };
  return {
    turns,
    isRunning: isRunning(turns),
    send: (prompt, settings) => {
      const turn = { id: ++lastId.current, prompt, answers: new Map() };
      setTurns([...turns, turn]);
      for (const model of settings.models) askModel(turn, turns, model, settings);
    },
    again: (turn, model, settings) => askModel(turn, turns.slice(0, turns.indexOf(turn)), model, settings),
    stop,
    clear: () => {
      stop();
      setTurns([]);
    },
  };
}
