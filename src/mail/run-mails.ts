import { setTimeout as delay } from "node:timers/promises";
import { createWakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { countWorkFailure } from "../instruments/instruments.ts";
import { MAIL_CONNECTIONS_MAX, type MailTransport, openMailTransport } from "./open-mail-transport.ts";
import { sendNextMail } from "./send-next-mail.ts";

/** A mail that another node queued, or that is due for a retry, is found within this time. */
const POLL_MS = 5_000;
/** While the mail server cannot be reached, one mail is tried at this interval; so is a setting that cannot be used. */
const SERVER_PAUSE_MS = 30_000;
/** How long a stop waits for the server's replies. */
const STOP_MS = 3_000;

export interface RunMailsOptions {
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; returns a function that ends this. */
  readonly onWake?: (listener: () => void) => () => void;
}

/** The part of a worker that sends queued mails, until the signal. Does nothing where no mail server is set. */
export async function runMails(deps: Deps, { signal, onWake }: RunMailsOptions): Promise<void> {
  if (deps.config.mail === null) return await untilAborted(signal);
  const transport = await openOrSay(deps, signal);
  if (transport === null) return;
  const wake = createWakeSignal();
  const unsubscribe = onWake?.(wake.notify);
  const giveUp = new AbortController();
  const stop = () => {
    wake.notify();
    setTimeout(() => giveUp.abort(), STOP_MS).unref();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      wake.reset();
      const isServerDown = await sendAll(deps, { transport, signal, givenUp: giveUp.signal });
      if (isServerDown)
        await delay(SERVER_PAUSE_MS, undefined, { signal, ref: false }).catch(() => {}); // stopping ends the pause
      else if (!signal.aborted) await wake.wait(POLL_MS);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    unsubscribe?.();
    transport.close();
  }
}

/** Returns null, after a pause, if a setting cannot be used: the log says which, and it is tried again, as its file may come back. */
async function openOrSay(deps: Deps, signal: AbortSignal): Promise<MailTransport | null> {
  try {
    return await openMailTransport(deps);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    countWorkFailure(deps.instruments, "mails");
    deps.log.error({ reason: error.message }, "no mail can be sent");
    await delay(SERVER_PAUSE_MS, undefined, { signal, ref: false }).catch(() => {}); // stopping ends the pause
    return null;
  }
}

interface SendAll {
  readonly transport: MailTransport;
  readonly signal: AbortSignal;
  readonly givenUp: AbortSignal;
}

/** Sends the due mails, a few at the same time; returns whether it ended because of the server. */
async function sendAll(deps: Deps, { transport, signal, givenUp }: SendAll): Promise<boolean> {
  let isServerDown = false;
  const sendOneByOne = async () => {
    while (!signal.aborted && !isServerDown) {
      const turn = await sendNextMail(deps, { transport, signal: givenUp });
      if (turn === "none") return;
      if (turn === "server") isServerDown = true;
    }
  };
  await Promise.all(Array.from({ length: MAIL_CONNECTIONS_MAX }, sendOneByOne));
  return isServerDown;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
