import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ApiError } from "../../api/api-error.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { type DefaultViews, parseStoredDefaults } from "./default-views.ts";
import { defaultPath, useDefaultViews } from "./use-default-views.ts";

/** Gives the default views that an earlier version stored in this browser to the service, once. */
export function useStoredDefaults(): void {
  const client = useQueryClient();
  const { uid } = useSession().staff;
  const known = useRef<DefaultViews>([]);
  known.current = useDefaultViews();
  useEffect(() => {
    void takeOver(uid, known.current).then((isChanged) => {
      if (isChanged) void client.invalidateQueries({ queryKey: SESSION_KEY });
    });
  }, [client, uid]);
}

/**
 * Sends the stored default views of a person's lists that have none, and forgets them; a view that was removed meanwhile is left out. If the service
 * does not answer, they stay until the next time. Returns whether any was sent.
 */
async function takeOver(staffUid: string, known: DefaultViews): Promise<boolean> {
  const key = `pointkeeper.default-views.${staffUid}`;
  const views = parseStoredDefaults(readStored(key)).filter(({ list }) => !known.some((one) => one.list === list));
  try {
    for (const { uid } of views) await apiSend("PUT", defaultPath(uid), {}).catch(ignoreRefusal);
    localStorage.removeItem(key);
  } catch {
    return false;
  }
  return views.length > 0;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError && (error.status === 404 || error.status === 422))) throw error;
}

/** Of a browser that stores nothing: null. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
