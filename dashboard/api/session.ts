import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionStaff, SessionState, SessionStore } from "../../src/admin/session/schema.ts";
import type { Permission } from "../../src/staff/permissions.ts";
import { apiGet } from "./client.ts";

/** The session of somebody who is signed in. */
export interface Session extends SessionState {
  readonly staff: SessionStaff;
  readonly store: SessionStore;
  can(permission: Permission): boolean;
}

export const SESSION_KEY = ["session"] as const;

/** How the session is read; main.tsx asks for it before anything is shown. */
export const SESSION_QUERY = {
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await apiGet<{ data: SessionState }>("/session", {}, signal)).data,
  staleTime: 60_000,
};

/** The session as it was answered, signed in or not; for the shell. */
export function useSessionData() {
  return useQuery(SESSION_QUERY);
}

/**
 * The session of the page below: that of the person who is signed in, or the one that ended while its page is kept, so that what was typed
 * is there when the same person has signed in again. Every cell of a table reads it: a context costs nothing, a query each would.
 */
export const PageSession = createContext<Session | null>(null);

/** The session as pages read it; null: nobody's. */
export function sessionOf(data: SessionState | null): Session | null {
  if (data?.staff == null || data.store === null) return null;
  const allowed = new Set<string>(data.permissions);
  return { ...data, staff: data.staff, store: data.store, can: (permission) => allowed.has(permission) };
}

let hasSignedOut = false;

/** Says that the person ends the session: nothing of the page is kept. */
export function forgetPage(): void {
  hasSignedOut = true;
}

/** Whether the person ended the session; asked once for each end. */
export function takeSignedOut(): boolean {
  const was = hasSignedOut;
  hasSignedOut = false;
  return was;
}

/** Who is signed in, what they may do, and the store; pages are shown only inside a session. */
export function useSession(): Session {
  const session = useContext(PageSession);
  if (session === null) throw new Error("A page is shown outside a session.");
  return session;
}
