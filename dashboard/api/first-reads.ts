import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Permission } from "../../src/staff/permissions.ts";
import { SESSION_QUERY } from "./session.ts";

/** Where a page is opened: the parameters of its address, and the parts of its path by their names. */
export interface Address {
  readonly search: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A query as a page asks for it, without what is only about showing it. */
interface FirstRead {
  readonly queryKey: readonly unknown[];
  queryFn(context: { signal: AbortSignal }): Promise<unknown>;
}

/** What a page asks for when it is opened. */
type FirstReads = (address: Address) => readonly FirstRead[];

/** A page. What it says in `firstReads` is asked for as soon as its code is there, so that the answers are on their way when it is shown. */
export type PageComponent = (() => ReactNode) & { readonly firstReads?: FirstReads };

/**
 * Asks for what a page needs first, if somebody is signed in who may see the page: `permission` is what it requires. A failure is the
 * page's to show.
 */
export async function readFirst(
  client: QueryClient,
  page: PageComponent,
  address: Address,
  permission: Permission | undefined,
): Promise<void> {
  const session = await client.ensureQueryData(SESSION_QUERY).catch(() => null);
  if (session?.staff == null || session.staff.has_made_password || session.totp_needed) return;
  if (permission !== undefined && !session.permissions.includes(permission)) return;
  const reads = page.firstReads?.(address) ?? [];
  await Promise.all(reads.map((read) => client.prefetchQuery(read)));
}
