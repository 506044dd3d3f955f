import { SecretBoxError } from "../credentials/secret-box.ts";
import type { Deps } from "../deps.ts";
import { countMail } from "../instruments/instruments.ts";
import { mailFailureOf, mailRetryS } from "./mail.ts";
import { endMail, type LeasedMail, MAIL_LEASES, mayStillSend, recordMailFailure } from "./mail-queries.ts";
import type { MailTransport } from "./open-mail-transport.ts";

/** `none`: nothing is due. `server`: no mail at all can be sent at the moment. */
export type MailTurn = "done" | "none" | "server";

export interface SendOptions {
  readonly transport: MailTransport;
  /** Ends an attempt; its mail is sent again later. */
  readonly signal: AbortSignal;
}

type SendDeps = Pick<Deps, "db" | "clock" | "random" | "secretBox" | "log" | "instruments">;

/** An attempt that takes longer is aborted. */
const ATTEMPT_MS = 120_000;
const LOST = "its content cannot be read: the secret key was replaced";

/** Sends the next due mail, outside every transaction, and records the result. */
export async function sendNextMail(deps: SendDeps, { transport, signal }: SendOptions): Promise<MailTurn> {
  const mail = await MAIL_LEASES.claim(deps.db, deps.random.uid());
  if (mail === undefined) return "none";
  if (mail.expiresAt !== null && Temporal.Instant.compare(mail.expiresAt, deps.clock.now()) <= 0) {
    await endMail(deps.db, mail, { state: "expired", error: null });
    return "done";
  }
  if (!(await mayStillSend(deps.db, mail))) {
    await endMail(deps.db, mail, { state: "withdrawn", error: null });
    return "done";
  }
  try {
    await transport.send(mail, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]));
  } catch (error) {
    return await noteFailure(deps, mail, { error, isStopping: signal.aborted });
  }
  await endMail(deps.db, mail, { state: "sent", error: null });
  countMail(deps.instruments, mail.category, "sent");
  return "done";
}

/** The service's log contains no address. The server's reply, which may contain one, is stored with the mail. */
async function noteFailure(
  deps: SendDeps,
  mail: LeasedMail,
  { error, isStopping }: { readonly error: unknown; readonly isStopping: boolean },
): Promise<MailTurn> {
  if (isStopping) {
    await MAIL_LEASES.release(deps.db, mail, { waitS: 0, isCounted: false });
    return "none";
  }
  const { uid, category, attempts } = mail;
  const isLost = error instanceof SecretBoxError;
  const { kind, text } = isLost ? { kind: "refused" as const, text: LOST } : mailFailureOf(error);
  const waitS = kind === "refused" ? null : mailRetryS(attempts);
  const code = text.split(":", 1)[0];
  deps.log.warn({ mail: uid, category, attempts, code, isTriedAgain: waitS !== null }, "a mail could not be sent");
  countMail(deps.instruments, category, waitS === null ? "failed" : "retried");
  if (waitS === null) {
    await endMail(deps.db, mail, { state: "failed", error: text });
  } else {
    await recordMailFailure(deps.db, mail, text);
    await MAIL_LEASES.release(deps.db, mail, { waitS, isCounted: true });
  }
  return kind === "server" ? "server" : "done";
}
