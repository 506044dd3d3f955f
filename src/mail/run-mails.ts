import { setTimeout as delay } from "node:timers/promises";
import { createWakeSignal } from "../db/wake-signal.ts";
import type { Deps } from "../deps.ts";
import { MAIL_CONNECTIONS_MAX, type MailTransport, openMailTransport } from "./open-mail-transport.ts";
import { sendNextMail } from "./send-next-mail.ts";

/** A mail that another node queued, or that is tried again, is found this soon. */
const POLL_MS = 5_000;
/** While the mail server cannot be reached, one mail tries it this often. */
const SERVER_PAUSE_MS = 30_000;
/** A stop waits so long for the server's answers. */
const STOP_MS = 3_000;

export interface RunMailsOptions {
  readonly signal: AbortSignal;
  /** Calls the listener when there may be work; returns how to end that. */
  readonly onWake?: (listener: () => void) => () => void;
}

/** The mails' part of a worker: sends what is queued, until the signal. Nothing where no mail server is set. */
export async function runMails(deps: Deps, { signal, onWake }: RunMailsOptions): Promise<void> {
  if (deps.config.mail === null) return await untilAborted(signal);
  const wake = createWakeSignal();
  const unsubscribe = onWake?.(wake.notify);
  const giveUp = new AbortController();
  const stop = () => {
    wake.notify();
    setTimeout(() => giveUp.abort(), STOP_MS).unref();
  };
  signal.addEventListener("abort", stop, { once: true });
  const transport = await openMailTransport(deps);
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

interface SendAll {
  readonly transport: MailTransport;
  readonly signal: AbortSignal;
  readonly givenUp: AbortSignal;
}

/** Sends what is due, a few mails beside one another; returns whether the server ended it. */
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
