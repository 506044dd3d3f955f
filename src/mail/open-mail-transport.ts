import { readFile } from "node:fs/promises";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { contentOf } from "./mail.ts";
import type { LeasedMail } from "./mail-queries.ts";

/** Connections to the store's mail server. */
export interface MailTransport {
  /** Resolves once the server has accepted the mail; rejects with nodemailer's error. */
  send(mail: LeasedMail, signal: AbortSignal): Promise<void>;
  /** Connects, checks the certificate and signs in, without sending anything. */
  check(): Promise<void>;
  close(): void;
}

export const MAIL_CONNECTIONS_MAX = 4;
const MAILS_A_CONNECTION = 100;
const CONNECT_MS = 15_000;
const SILENCE_MS = 60_000;

/**
 * Opens the transport of the settings; it connects when mails are sent. Where the server is another machine, nothing is sent without TLS and
 * a checked certificate, unless POINTKEEPER_SMTP_PLAINTEXT allows it. Nodemailer's logging is off, because its lines contain addresses.
 * @throws ConfigError where the file of certificates cannot be read
 */
export async function openMailTransport(deps: Pick<Deps, "config" | "secretBox">): Promise<MailTransport> {
  const { mail: settings } = deps.config;
  if (settings === null) throw new Error("no mail server is set");
  const { host, port, security, user, password, caFile, from, replyTo } = settings;
  const ca = caFile === undefined ? undefined : await readCertificates(caFile);
  const { createTransport } = await import("nodemailer"); // on first use: most stores send no mail
  const transport = createTransport({
    host,
    port,
    pool: true,
    maxConnections: MAIL_CONNECTIONS_MAX,
    maxMessages: MAILS_A_CONNECTION,
    maxRequeues: 0,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send(mail, signal) {
      const { text, html, unsubscribeUrl, attachments = [] } = contentOf(deps.secretBox.open(mail.sealed));
      await transport.sendMail({
        from,
        to: { name: "", address: mail.recipient },
        ...(replyTo === undefined ? {} : { replyTo }),
        subject: mail.subject,
        text,
        html,
        messageId: `<${mail.uid}@${domain}>`, // the same at each attempt, so that a second copy can be recognised
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl === undefined
            ? {}
            : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
        },
        attachments: attachments.map(({ name, type, base64 }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(base64, "base64"),
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    },
    async check() {
      await transport.verify();
    },
    close() {
      transport.close({ force: true });
    },
  };
}

function readCertificates(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new ConfigError(
      `POINTKEEPER_SMTP_CA_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  });
}
