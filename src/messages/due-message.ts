import type { Program } from "../program/program.ts";
import type { MessageRules, MessageSetting } from "./message.ts";
import type { MessageOccasion, Recipient } from "./message-queries.ts";
import type { MessageAbout } from "./message-values.ts";

export interface DueMessage {
  readonly recipient: Recipient;
  readonly occasion: Pick<MessageOccasion, "occasion" | "forgetOn">;
  readonly about: MessageAbout;
  /** From this instant on it is not sent any more. */
  readonly expiresAt: Temporal.Instant;
}

/** The settings, the time and the limit for finding due messages. */
export interface FindContext {
  readonly setting: MessageSetting;
  readonly rules: MessageRules;
  readonly program: Program;
  readonly now: Temporal.Instant;
  /** The present day of the store. */
  readonly today: string;
  /** The day whose messages may be sent: the day before until the sending hour is reached. */
  readonly sendable: string;
  /** The most messages to return. */
  readonly room: number;
}

/** Messages that are due, and whether no more of the kind are due at this moment. */
export interface FoundMessages {
  readonly due: readonly DueMessage[];
  readonly isDone: boolean;
}
