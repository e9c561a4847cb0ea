import { createContext } from 'react';

/** The dialog around a form, as its parts reach it. */
export interface FormFrame {
  readonly setChanged: (isChanged: boolean) => void;
  readonly leave: () => void;
  readonly close: () => void;
}

export const FormFrameContext = createContext<FormFrame | null>(null);
