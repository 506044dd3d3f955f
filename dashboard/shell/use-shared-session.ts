import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SessionState } from "../../src/admin/session/schema.ts";
import { BASE } from "../api/base-path.ts";
import { SESSION_KEY } from "../api/session.ts";

/**
 * The tabs of a browser share one cookie. When the person, the role or the language changes in one of them, the others read the session again, so
 * that none shows a person's page after the sign-out, or sends a form in the name of the next person.
 */
export function useSharedSession(data: SessionState | undefined): void {
  const client = useQueryClient();
  const known = data === undefined ? null : textOf(data);
  useEffect(() => {
    if (known === null) return undefined;
    const channel = new BroadcastChannel(`pointkeeper-session${BASE}`);
    channel.onmessage = ({ data: other }) => {
      if (other !== known) void client.invalidateQueries({ queryKey: SESSION_KEY });
    };
    channel.postMessage(known);
    return () => channel.close();
  }, [client, known]);
}

function textOf({ staff }: SessionState): string {
  return JSON.stringify(staff === null ? null : [staff.uid, staff.role, staff.language]);
}
