/** The text that stands for a conversation that says nothing. Providers refuse an empty one. */
export const SAID_NOTHING = '.';

export const NOTHING_SAID = 'The provider answers no conversation that says nothing; a full stop was sent.';
export const SYSTEM_ALONE =
  'The provider answers no system prompt alone; it was sent as the message of a user.';
export const LATE_SYSTEM =
  'The provider takes no system message after an answer; it was sent as the message of a user.';
export const CONTINUED_ANSWER =
  'The provider continues the answer that the conversation ends with, or refuses it; it does not answer anew.';
