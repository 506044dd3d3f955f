import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Permission } from "../../src/staff/permissions.ts";
import { SESSION_QUERY } from "./session.ts";

/** The address at which a page is opened: its parameters, and the named parts of its path. */
export interface Address {
  readonly search: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A query of a page, without the options of displaying it. */
interface PrefetchedQuery {
  readonly queryKey: readonly unknown[];
  queryFn(context: { signal: AbortSignal }): Promise<unknown>;
}

/** Returns what a page reads when it is opened. */
type PrefetchedQueries = (address: Address) => readonly PrefetchedQuery[];

/** A page. What `prefetchedQueries` returns is read as soon as the page's code is loaded, before the page is shown. */
export type PageComponent = (() => ReactNode) & { readonly prefetchedQueries?: PrefetchedQueries };

/** Reads what a page needs first, if a person with the page's `permission` is signed in. The page shows a failure. */
export async function prefetchQueries(
  client: QueryClient,
  page: PageComponent,
  address: Address,
  permission: Permission | undefined,
): Promise<void> {
  const session = await client.ensureQueryData(SESSION_QUERY).catch(() => null);
  if (session?.staff == null || session.staff.has_made_password || session.totp_needed) return;
  if (permission !== undefined && !session.permissions.includes(permission)) return;
  const reads = page.prefetchedQueries?.(address) ?? [];
  await Promise.all(reads.map((read) => client.prefetchQuery(read)));
}
