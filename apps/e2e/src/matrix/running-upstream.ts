import { type SceneName } from './scenes';

export interface RunningUpstream {
  /** Without a path. */
  readonly url: string;
  /** A prompt that it answers as the scene says; each number makes it another. */
  promptOf(scene: SceneName, number: number): string;
  stop(): Promise<void>;
}
