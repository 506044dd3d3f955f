import type { Config } from "../../config.ts";
import type { AccessChange } from "../../staff/access-change.ts";
import type { MadeLink } from "../../staff/links/make-link.ts";
import type { ListedStaff } from "../../staff/list-staff.ts";
import { givesRoles } from "../../staff/provider/provider-roles.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { AccessNotice, PersonRow, ShownLink as WireLink } from "./schema.ts";

export function personView(person: ListedStaff, { oidc }: Pick<Config, "oidc">): PersonRow {
  return {
    uid: person.uid,
    email: person.email,
    name: person.name,
    role: person.role,
    has_factor: person.hasFactor,
    passkeys: person.passkeys,
    has_identity: person.hasIdentity,
    can_unlink: person.hasIdentity && !givesRoles(oidc),
    has_made_password: person.hasMadePassword,
    has_password: person.hasPassword,
    link_expires_at: person.linkExpiresAt === null ? null : formatInstant(person.linkExpiresAt),
    created_at: formatInstant(person.createdAt),
    disabled_at: person.disabledAt === null ? null : formatInstant(person.disabledAt),
    seen_at: person.seenAt === null ? null : formatInstant(person.seenAt),
    sessions: person.sessions,
    mailed_by: [...person.mailedBy],
  };
}

/** How a request arrived. Its `host` header is a name of this service, as the host check has verified. */
interface LinkRequest {
  readonly protocol: string;
  readonly headers: { readonly host?: string | undefined };
}

/** A link for handing on. Its token comes after `#`, so that no log and no other site receives it. */
export function linkView(publicUrl: string, asked: LinkRequest, made: LinkMade): WireLink {
  const { uid, isMailed, email, link } = made;
  const shown = isMailed ? null : `${baseOf(publicUrl, asked)}/admin/invitation#${link.token}`;
  return { uid, link: shown, mailed_to: isMailed ? email : null, expires_at: formatInstant(link.expiresAt) };
}

interface LinkMade {
  readonly uid: string;
  readonly email: string;
  readonly link: MadeLink;
  readonly isMailed: boolean;
}

/** If PUBLIC_URL is not set, its default may not be reachable; then the address that the client used is taken. */
function baseOf(publicUrl: string, { protocol, headers: { host } }: LinkRequest): string {
  const { hostname, port } = new URL(publicUrl);
  const isPlace = hostname !== "0.0.0.0" && hostname !== "[::]" && port !== "0";
  return isPlace || host === undefined ? publicUrl : `${protocol}://${host}`;
}

export function noticeView({ uid, at, kind, staffUid, name, role, byKind, byName }: AccessChange): AccessNotice {
  const by = { by_command: byKind === "command", by_provider: byKind === "provider", by_name: byName };
  return { uid, at: formatInstant(at), kind, staff_uid: staffUid, name, role, ...by };
}
