import { type Provider } from '@svc/inference';

const REDACTED = '[redacted]';
/** A shorter beginning of a credential at the end of a message may be anything. */
const PREFIX_LENGTH_MIN = 6;

/** Makes a provider's words fit for a caller. */
export type Redaction = (message: string) => string;

/**
 * Takes the credential and the address of a provider out of its messages, which some echo. A message that was cut
 * inside the credential loses that beginning of it too.
 */
export function redactionFor(provider: Provider, secret: string | null): Redaction {
  return (message) => {
    const { host, hostname } = new URL(provider.baseUrl);
    const unwanted = [...(secret === null ? [] : [secret]), provider.baseUrl, host, hostname];
    let clean = message;
    for (const text of unwanted) clean = clean.replaceAll(text, REDACTED);
    return secret === null ? clean : withoutPrefixAtEnd(clean, secret);
  };
}

function withoutPrefixAtEnd(message: string, secret: string): string {
  for (let length = Math.min(secret.length, message.length); length >= PREFIX_LENGTH_MIN; length--) {
    if (message.endsWith(secret.slice(0, length))) return message.slice(0, -length) + REDACTED;
  }
  return message;
}
