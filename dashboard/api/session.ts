import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
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

/** Who is signed in, what they may do, and the store; pages are shown only inside a session. */
export function useSession(): Session {
  const { data } = useSessionData();
  const session = useMemo(() => {
    if (data?.staff == null || data.store === null) return null;
    const allowed = new Set<string>(data.permissions);
    return { ...data, staff: data.staff, store: data.store, can: (permission: Permission) => allowed.has(permission) };
  }, [data]);
  if (session === null) throw new Error("A page is shown outside a session.");
  return session;
}
