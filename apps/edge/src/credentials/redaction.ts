import { type Provider } from '@svc/catalog';

const REDACTED = '[redacted]';
/** A shorter prefix of a credential at the end of a message may be any text. */
const PREFIX_LENGTH_MIN = 6;

/** Removes secrets from a provider's message, so that callers may see it. */
export type Redaction = (message: string) => string;

/**
 * Removes a provider's credential and address from its messages, because some echo them. A prefix of the credential at
 * the end of a cut message is removed too.
 */
export function redactionFor(provider: Provider, secret: string | null): Redaction {
  return (message) => {
    const { host, hostname } = new URL(provider.baseUrl);
    const secrets = [...(secret === null ? [] : [secret]), ...(provider.connection?.secrets ?? [])];
    const unwanted = [...secrets, provider.baseUrl, host, hostname];
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
