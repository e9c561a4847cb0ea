/** Whether spec files share the module, by its absolute path. */
export function isShared(file: string): boolean;

/** The modules that spec files of this process share, for the one that runs. */
export class SharedModules {
  constructor(runtime: {
    readonly isWatching: boolean;
    readonly resolve: (from: string, name: string) => string;
    readonly compiled: (file: string) => (...parameters: readonly unknown[]) => void;
  });
  /** @returns the exports of the module, by its absolute path. */
  load(file: string): unknown;
}
