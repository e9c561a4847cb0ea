import { type Operation } from '../../call/operation';
import { type TakenValues } from '../../call/taken-values';
import { type ChatForm } from '../chat-form';

/** The model endpoint that a call is translated for. */
export interface TranslationTarget {
  /**
   * The operation in which the endpoint is asked for a responses call, which more than one protocol can take the place
   * of. Absent: chat completions.
   */
  readonly operation?: Operation;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  /** In tokens: the limit that the hold covers, else the caller's, else the model's. Anthropic requires one. */
  readonly maxOutputTokens: number;
  /** Optional parameters, and members of them, that the provider is not sent. */
  readonly omit?: readonly string[];
  /** Parameters that the endpoint takes beyond its protocol. They are sent as they are. */
  readonly extraParameters?: ReadonlySet<string>;
  /** Tools of the responses protocol that the endpoint may be asked to run itself. */
  readonly builtInTools?: ReadonlySet<string>;
  /** The values that the model takes of some parameters. Absent for any value. */
  readonly takes?: TakenValues;
  /** Fields of a chat message in which the provider takes reasoning back. Absent for the usual ones. */
  readonly reasoningFields?: readonly string[];
  /** The form of chat messages that the provider takes. Absent for the form of OpenAI. */
  readonly chatForm?: ChatForm;
  /** True where tools and options that tokens do not pay for are left out. */
  readonly paidPartsOnly?: boolean;
}
