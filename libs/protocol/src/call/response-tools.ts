import { isRecord } from '../json/byte-text';

/** Tools whose calls the caller carries out, or that only group or load such tools. */
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set([
  ...['function', 'custom', 'namespace', 'tool_search'],
  ...['apply_patch', 'local_shell', 'computer', 'computer_use_preview'],
]);

/**
 * The type of a tool of a responses call that the provider runs by itself, which it may charge for beside tokens
 * (docs/reference/models-and-catalog.md#built-in-tools). Null for a tool that the caller runs.
 */
export function builtInToolType(tool: unknown): string | null {
  const { type, environment } = isRecord(tool) ? tool : {};
  if (CALLERS_TOOLS.has(type)) return null;
  if (type === 'shell' && isRecord(environment) && environment['type'] === 'local') return null;
  return typeof type === 'string' ? type : '';
}
