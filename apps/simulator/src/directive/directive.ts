import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

const MAX_DELAY_MS = 600_000;
const FRAMING_HEADERS = ['connection', 'content-length', 'transfer-encoding'];

const count = z.int().min(0);
const delayMs = count.max(MAX_DELAY_MS);

const headers = z
  .record(z.string(), z.string())
  .refine(
    (candidates) => Object.entries(candidates).every(([name, value]) => isHeader(name, value)),
    `must be valid HTTP headers, without ${FRAMING_HEADERS.join(', ')}`,
  )
  // Lower case, so that they replace the simulator's own headers in any spelling.
  .transform((given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
  );

const toolCall = z.strictObject({
  name: z.string().min(1),
  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});

/** How a call changes the simulated answer. The README has a line for each field. */
export const directiveSchema = z
  .strictObject({
    only_model: z.string(),
    only_credential: z.string(),
    status: z.int().min(200).max(599),
    error_message: z.string(),
    headers,
    body: z.json(),
    delay_ms: delayMs,
    chunk_delay_ms: delayMs,
    stall_after: count,
    cut_after: count,
    end_after: count,
    error_after: count,
    malformed: z.boolean(),
    reply: z.string(),
    reply_words: count.max(1_000_000),
    tool_calls: z.array(toolCall).max(128),
    usage: z.strictObject({ input_tokens: count.optional(), output_tokens: count.optional() }),
    no_usage: z.boolean(),
    cached_tokens: count,
    cache_write_tokens: count,
    prompt_cache: z.boolean(),
    requests_per_minute: count,
    finish_reason: z.string(),
  })
  .partial();

export type Directive = z.infer<typeof directiveSchema>;

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return !FRAMING_HEADERS.includes(name.toLowerCase());
  } catch {
    return false;
  }
}
