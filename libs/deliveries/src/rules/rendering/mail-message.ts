import { type Message } from '../messages/message';
import { harmless } from './harmless-text';

/** A plain text mail. A line break in a name would forge a line of it. */
export const mailMessage = ({ title, facts, link }: Message): { subject: string; text: string } => ({
  subject: `[Svc] ${harmless(title)}`,
  text: `${harmless(title)}\n\n${facts.map(({ label, value }) => `${label}: ${harmless(value)}\n`).join('')}\n${link}\n`,
});
