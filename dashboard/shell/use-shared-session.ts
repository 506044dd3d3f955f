import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { SessionState } from "../../src/admin/session/schema.ts";
import { BASE } from "../api/base-path.ts";
import { SESSION_KEY } from "../api/session.ts";
import { openSessionChannel, type SessionChannel, sharedTextOf } from "../api/session-channel.ts";

/**
 * The tabs of a browser share one cookie. When the person, the role or the language changes in one of them, the others read the session again, so
 * that none shows a person's page after the sign-out, or sends a form in the name of the next person.
 */
export function useSharedSession(data: SessionState | undefined): void {
  const client = useQueryClient();
  const channel = useRef<SessionChannel>(null);
  const known = data === undefined ? null : sharedTextOf(data);
  useEffect(() => {
    const read = () => void client.invalidateQueries({ queryKey: SESSION_KEY });
    const opened = openSessionChannel(`pointkeeper-session${BASE}`, read);
    channel.current = opened;
    return () => opened.close();
  }, [client]);
  useEffect(() => {
    if (known !== null) channel.current?.publish(known);
  }, [known]);
}
