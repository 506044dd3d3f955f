import type { Deps } from "../../src/deps.ts";
import { openMailTransport } from "../../src/mail/open-mail-transport.ts";
import { sendNextMail } from "../../src/mail/send-next-mail.ts";
import type { SmtpServer, TakenMail } from "./smtp.ts";

/** Sends every due mail, like a worker. */
export async function sendWaitingMails(deps: Deps): Promise<void> {
  const transport = await openMailTransport(deps);
  const { signal } = new AbortController();
  for (let turn = "done"; turn === "done"; ) turn = await sendNextMail(deps, { transport, signal });
  transport.close();
}

/** A mail as a person reads it. */
export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

/** The mails that a server received, decoded. */
export function readMails({ mails }: SmtpServer): ReadMail[] {
  return mails.map(readMail);
}

function readMail({ to, raw }: TakenMail): ReadMail {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]+/g, " ");
  const subject = wordsOf(/^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? "");
  return { to, subject, text: partOf(raw, "text/plain"), html: partOf(raw, "text/html"), raw };
}

function wordsOf(header: string): string {
  return header.replaceAll(/\?=\s+=\?/g, "?==?").replaceAll(/(?:=\?UTF-8\?[BQ]\?[^?]*\?=)+/gi, (run) => {
    const pieces = [...run.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)].map(([, coding = "", text = ""]) =>
      coding.toUpperCase() === "B" ? Buffer.from(text, "base64") : quotedBytes(text.replaceAll("_", " ")),
    );
    return Buffer.concat(pieces).toString("utf8");
  });
}

function partOf(raw: string, type: string): string {
  const part = raw.split(/\r\n--/).find((piece) => piece.includes(`Content-Type: ${type}`)) ?? "";
  const [head = "", ...rest] = part.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  return quotedBytes(body.replaceAll("=\r\n", "")).toString("utf8").replaceAll("\r\n", "\n");
}

function quotedBytes(text: string): Buffer {
  const pieces = text.split(/((?:=[0-9A-F]{2})+)/i);
  return Buffer.concat(
    pieces.map((piece, i) =>
      i % 2 === 1 ? Buffer.from(piece.replaceAll("=", ""), "hex") : Buffer.from(piece, "utf8"),
    ),
  );
}
