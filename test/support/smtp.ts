import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { MailSettings } from "../../src/mail-settings.ts";

const TLS = join(import.meta.dirname, "../fixtures/tls");
export const MAIL_AUTHORITY = join(TLS, "authority.pem");

/** A mail as the server received it. */
export interface TakenMail {
  readonly to: string;
  /** With its headers. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** A real SMTP server in this process, with a certificate for `localhost` by the tests' authority. */
export interface SmtpServer {
  readonly port: number;
  readonly mails: TakenMail[];
  /** The response to RCPT, which a test may change: a code and a text refuse. */
  refuse: { code: number; text: string } | null;
  /** How often a client has connected. */
  connections(): number;
  close(): Promise<void>;
}

export async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpServer> {
  let connections = 0;
  const taken: SmtpServer = { port: 0, mails: [], refuse: null, connections: () => connections, close };
  const server = new SMTPServer({
    key: readFileSync(join(TLS, "server.key")),
    cert: readFileSync(join(TLS, "server.pem")),
    authOptional: true,
    onConnect(_session, callback) {
      connections++;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      if (username === "points" && password === "pass word/1") return callback(null, { user: username });
      callback(Object.assign(new Error("Authentication failed for points with pass word/1"), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, callback) {
      const { refuse } = taken;
      callback(refuse === null ? null : Object.assign(new Error(refuse.text), { responseCode: refuse.code }));
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        for (const { address } of session.envelope.rcptTo)
          taken.mails.push({
            to: address,
            raw: Buffer.concat(pieces).toString("utf8"),
            isSecure: session.secure,
            user: typeof session.user === "string" ? session.user : undefined,
          });
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // a client that does not trust the certificate disconnects
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  function close(): Promise<void> {
    return new Promise((resolve) => server.close(() => resolve()));
  }
  return Object.assign(taken, { port: address.port });
}

/** Settings for a server of `startSmtp`, without TLS to this machine. */
export function smtpSettings({ port }: { readonly port: number }, more: Partial<MailSettings> = {}): MailSettings {
  return {
    host: "localhost",
    port,
    security: "none",
    user: undefined,
    password: undefined,
    caFile: undefined,
    from: { name: "茶店 Tea", address: "points@store.example" },
    replyTo: undefined,
    ...more,
  };
}
