import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionStaff, SessionState, SessionStore } from "../../src/admin/session/schema.ts";
import type { Permission } from "../../src/staff/permissions.ts";
import { ApiError } from "./api-error.ts";
import { apiGet } from "./client.ts";

/** The session of a signed-in person. */
export interface Session extends SessionState {
  readonly staff: SessionStaff;
  readonly store: SessionStore;
  can(permission: Permission): boolean;
}

export const SESSION_KEY = ["session"] as const;

/** The query of the session; main.tsx starts it before anything is shown. */
export const SESSION_QUERY = {
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await apiGet<{ data: SessionState }>("/session", {}, signal)).data,
  staleTime: 60_000,
};

/** Returns the session as the service sent it, signed in or not; for the shell. */
export function useSessionData() {
  return useQuery(SESSION_QUERY);
}

/**
 * The session of the page below: that of the signed-in person, or an ended one while its page is kept, so that the input is still there when the same
 * person has signed in again. It is a context, because every cell of a table reads it, and a query in each would be costly.
 */
export const PageSession = createContext<Session | null>(null);

/** Returns the session for pages; null: nobody is signed in. */
export function sessionOf(data: SessionState | null): Session | null {
  if (data?.staff == null || data.store === null) return null;
  const allowed = new Set<string>(data.permissions);
  return { ...data, staff: data.staff, store: data.store, can: (permission) => allowed.has(permission) };
}

let hasSignedOut = false;

/** Records that the person ends the session: nothing of the page is kept. */
export function forgetPage(): void {
  hasSignedOut = true;
}

/** After an attempt to end the session failed: the page is kept as before, unless the session had ended already. */
export function keepPage(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) hasSignedOut = false;
}

/** Returns whether the person ended the session, and clears the mark. */
export function takeSignedOut(): boolean {
  const was = hasSignedOut;
  hasSignedOut = false;
  return was;
}

/** Returns the signed-in person, their permissions and the store; pages are shown only inside a session. */
export function useSession(): Session {
  const session = useContext(PageSession);
  if (session === null) throw new Error("A page is shown outside a session.");
  return session;
}
