import { folderSetting } from "./config-groups.ts";
import { ConfigError, type Env, flagSetting, textSetting } from "./environment.ts";

/** The store's mail server, and the sender of its mails (docs/operations.md, "Mail"). */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `starttls`: required before anything else is sent. `none`: to this machine, or if the settings allow it. */
  readonly security: "tls" | "starttls" | "none";
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Trusted certificate authorities, instead of the default ones. */
  readonly caFile: string | undefined;
  readonly from: MailSender;
  readonly replyTo: string | undefined;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

const SENDER = /^(?:"?([^"<>\p{Cc}]{0,100}?)"?\s*<)?([^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}?)>?$/u;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns how mails are sent; null: they are not. No error contains the server's URL, which may have a password. Throws ConfigError. */
export function mailSettings(env: Env): MailSettings | null {
  const text = textSetting(env, "POINTKEEPER_SMTP_URL");
  const isPlain = flagSetting(env, "POINTKEEPER_SMTP_PLAINTEXT");
  const caFile = folderSetting(env, "POINTKEEPER_SMTP_CA_FILE");
  const sender = textSetting(env, "POINTKEEPER_MAIL_FROM");
  const replyTo = textSetting(env, "POINTKEEPER_MAIL_REPLY_TO");
  if (text === undefined) return null;
  if (!URL.canParse(text) || !/^smtps?:$/.test(new URL(text).protocol) || new URL(text).hostname === "")
    throw new ConfigError(
      "POINTKEEPER_SMTP_URL must be smtps://user:password@host:465 or smtp://user:password@host:587.",
    );
  if (sender === undefined)
    throw new ConfigError("POINTKEEPER_MAIL_FROM must be set when POINTKEEPER_SMTP_URL is: from whom mails come.");
  const { protocol, hostname, port, username, password } = new URL(text);
  const isTls = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (isTls ? 465 : 587) : Number(port),
    security: isTls ? "tls" : isPlain || LOOPBACK.has(hostname) ? "none" : "starttls",
    user: username === "" ? undefined : smtpWord(username),
    password: password === "" ? undefined : smtpWord(password),
    caFile,
    from: mailSender("POINTKEEPER_MAIL_FROM", sender),
    replyTo: replyTo === undefined ? undefined : mailSender("POINTKEEPER_MAIL_REPLY_TO", replyTo).address,
  };
}

function smtpWord(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError("POINTKEEPER_SMTP_URL must have its user and password percent-encoded.");
  }
}

function mailSender(name: string, value: string): MailSender {
  const [, label = "", address = ""] = SENDER.exec(value) ?? [];
  if (address === "")
    throw new ConfigError(
      `${name} must be an e-mail address, or a name with it: "The store <points@store.example>", not "${value}".`,
    );
  return { name: label.trim(), address };
}
