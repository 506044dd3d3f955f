import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { enqueueMail } from "../../mail/enqueue-mail.ts";
import { isMailAddress } from "../../mail/mail.ts";
import { readProgram } from "../../program/read-program.ts";
import type { Language } from "../../wire/language.ts";
import { isOidcOn } from "../provider/identity-queries.ts";
import { selectStaff } from "../queries.ts";
import { hashToken } from "../sessions/session.ts";
import { type LinkKind, linkMail } from "./link-mail.ts";
import type { MadeLink } from "./make-link.ts";

export type MailLinkDeps = Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">;

/** That a link is to be mailed, and in which language where its person has chosen none. */
export interface LinkMailing {
  readonly language: Language | null;
}

interface LinkToMail {
  readonly staffUid: string;
  readonly kind: LinkKind;
  readonly link: MadeLink;
  /** Null: it is not mailed. */
  readonly mailing: LinkMailing | null;
}

/**
 * Queues the mail with a person's link; false where it is not mailed: mail is off, too many are waiting, the address is not valid in a
 * mail, or only the identity provider signs people in. The link begins with PUBLIC_URL, whatever host the request names.
 */
export async function mailLink(
  tx: Tx,
  deps: MailLinkDeps,
  { staffUid, kind, link, mailing }: LinkToMail,
): Promise<boolean> {
  const staff = await selectStaff(tx, staffUid);
  if (deps.config.oidc?.isOnly === true && (await isOidcOn({ db: tx, config: deps.config }))) return false; // a link to a password that nobody may use
  if (mailing === null || deps.config.mail === null || staff === undefined || !isMailAddress(staff.email)) return false;
  const { store } = await readProgram(tx);
  const url = `${deps.config.publicUrl}/admin/invitation#${link.token}`;
  const language = staff.language ?? mailing.language ?? "en";
  const { expiresAt } = link;
  const words = linkMail({
    kind,
    language,
    name: staff.name,
    store: store.name,
    url,
    expiresAt,
    timeZone: store.timeZone,
  });
  const idempotencyKey = `link/${hashToken(link.token).toString("hex")}`;
  const state = await enqueueMail(tx, deps, {
    ...words,
    idempotencyKey,
    category: "access",
    to: staff.email,
    expiresAt,
  });
  return state === "queued";
}
