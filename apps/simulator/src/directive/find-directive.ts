import { Refusal } from '../refusal';
import { type Directive, directiveSchema } from './directive';

const MARK = /@simulator\s*(?=\{)/;

export interface Found {
  readonly directive: Directive;
  /** The user's text without the directive. */
  readonly userText: string;
}

/** The call that a directive may be for. */
interface DirectedCall {
  readonly model: string;
  /** That the call was sent with; empty for none. */
  readonly credential: string;
}

/**
 * The directive of a call: its `x-simulator` header or else the first `@simulator {…}` in the user's text, which
 * passes through gateways that forward no headers. It is empty when it names another model or another credential.
 * @throws Refusal 400 for an invalid directive, so that a misspelt one never looks like a success.
 */
export function findDirective(
  header: string | undefined,
  userText: string,
  { model, credential }: DirectedCall,
): Found {
  const written = cutDirective(userText);
  const source = header ?? written?.json;
  const directive = source === undefined ? {} : readDirective(source);
  const { only_model: ofModel = model, only_credential: ofCredential = credential } = directive;
  const isMeant = ofModel === model && ofCredential === credential;
  return { directive: isMeant ? directive : {}, userText: written?.rest ?? userText };
}

function readDirective(source: string): Directive {
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    throw new Refusal(400, 'The simulator directive is no valid JSON.', { code: 'invalid_directive' });
  }
  const parsed = directiveSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'directive'}: ${message}`,
  );
  throw new Refusal(400, `Wrong simulator directive: ${problems.join('; ')}`, { code: 'invalid_directive' });
}

/** The first `@simulator {…}` in a text, and the text without it. */
export function cutDirective(text: string): { json: string; rest: string } | undefined {
  const mark = MARK.exec(text);
  if (mark === null) return undefined;
  const start = mark.index + mark[0].length;
  const end = endOfObject(text, start);
  return { json: text.slice(start, end), rest: `${text.slice(0, mark.index)}${text.slice(end)}`.trim() };
}

/** The position after the brace that closes the object at `start`, else the end of the text. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString && character === '\\') at++;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth++;
    else if (!inString && character === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}
