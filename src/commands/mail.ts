import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import { isMailAddress, mailFailureOf } from "../mail/mail.ts";
import { selectMailLog } from "../mail/mail-queries.ts";
import { openMailTransport } from "../mail/open-mail-transport.ts";
import type { Given } from "./command-line.ts";
import { inTone, jsonTime, print, type Shown, shortTime, tableLines } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const SHOWN = 50;

/** `pointkeeper mail log | test <e-mail>`: the state of mails, and a test of the mail server. */
export async function mail(given: Given): Promise<number> {
  const [to = ""] = given.operands;
  if (given.action === "test" && !isMailAddress(to)) throw new UsageError(`${to} is no e-mail address.`);
  print(given, await withDeps((deps) => (given.action === "test" ? sendTest(deps, to) : readLog(deps))));
  return 0;
}

/** Connects and signs in at once, so that a wrong setting is shown here; the mail itself is queued like all mails. */
async function sendTest(deps: Deps, to: string): Promise<Shown> {
  if (deps.config.mail === null) throw new ConfigError("No mail is sent: POINTKEEPER_SMTP_URL is not set.");
  const transport = await openMailTransport(deps);
  try {
    await transport.check();
  } catch (error) {
    throw new ConfigError(
      `The mail server cannot be used: ${mailFailureOf(error).text}. See docs/operations.md, "Mail".`,
    );
  } finally {
    transport.close();
  }
  const idempotencyKey = `test/${deps.random.uid()}`;
  const text = "This is a test of the mail settings of Pointkeeper. There is nothing to do.";
  const message = { idempotencyKey, to, subject: "Test of Pointkeeper's mail", text, html: `<p>${text}</p>` };
  const state = await deps.db.tx((tx) => enqueueMail(tx, deps, { ...message, category: "test" }));
  return {
    json: { to, state },
    text: [`The mail server can be used. A mail to ${to} is ${state}: a worker sends it, see pointkeeper mail log.`],
  };
}

async function readLog({ db }: Deps): Promise<Shown> {
  const mails = await selectMailLog(db, { limit: SHOWN });
  const rows = mails.map(({ createdAt, category, recipient, subject, state, attempts, error }) => [
    shortTime(createdAt),
    category,
    recipient,
    subject,
    state === "failed" ? inTone("bad", state) : state,
    String(attempts),
    error ?? "",
  ]);
  return {
    json: mails.map(({ createdAt, endedAt, customerId, ...rest }) => ({
      ...rest,
      customer_id: customerId,
      created_at: jsonTime(createdAt),
      ended_at: jsonTime(endedAt),
    })),
    text:
      mails.length === 0
        ? ["No mail was queued in the last 30 days."]
        : tableLines(["queued", "about", "to", "subject", "state", "attempts", "error"], rows),
  };
}
