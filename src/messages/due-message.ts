import type { Program } from "../program/program.ts";
import type { MessageRules, MessageSetting } from "./message.ts";
import type { MessageOccasion, Recipient } from "./message-queries.ts";
import type { MessageAbout } from "./message-values.ts";

/** A message that is due. */
export interface DueMessage {
  readonly recipient: Recipient;
  readonly occasion: Pick<MessageOccasion, "occasion" | "forgetOn">;
  readonly about: MessageAbout;
  /** It is not worth sending from then on. */
  readonly expiresAt: Temporal.Instant;
}

/** What is looked for. */
export interface FindContext {
  readonly setting: MessageSetting;
  readonly rules: MessageRules;
  readonly program: Program;
  readonly now: Temporal.Instant;
  /** The day of the store. */
  readonly today: string;
  /** The day whose messages may be sent: the day before until the hour has come. */
  readonly sendable: string;
  /** So many at most. */
  readonly room: number;
}

/** Some that are due, and whether nothing of the kind is left at this moment. */
export interface FoundMessages {
  readonly due: readonly DueMessage[];
  readonly isDone: boolean;
}
