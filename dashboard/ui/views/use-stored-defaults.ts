import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ShownDefaultView, ShownView } from "../../../src/admin/saved-views/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { type DefaultViews, parseStoredDefaults } from "./default-views.ts";
import { defaultPath, useDefaultViews } from "./use-default-views.ts";

type StoredDefault = Pick<ShownDefaultView, "list" | "uid">;

/** Gives the default views that an earlier version stored in this browser to the service, once. */
export function useStoredDefaults(): void {
  const client = useQueryClient();
  const { staff, default_views: sent } = useSession();
  const { uid } = staff;
  const isTold = sent !== undefined; // a node of an older version does not send them, so it is not known which lists have one
  const known = useRef<DefaultViews>([]);
  known.current = useDefaultViews();
  useEffect(() => {
    if (!isTold) return;
    void takeOver(uid, known.current).then((isChanged) => {
      if (isChanged) void client.invalidateQueries({ queryKey: SESSION_KEY });
    });
  }, [client, uid, isTold]);
}

/**
 * Sends the stored default views of a person's lists that have none, and forgets them; a view that was removed meanwhile is left out. If the service
 * does not answer, or a node of an older version does, they stay until the next time. Returns whether any was sent.
 */
async function takeOver(staffUid: string, known: DefaultViews): Promise<boolean> {
  const key = `pointkeeper.default-views.${staffUid}`;
  const views = parseStoredDefaults(readStored(key)).filter(({ list }) => !known.some((one) => one.list === list));
  try {
    for (const view of views)
      await apiSend("PUT", defaultPath(view.uid), {}).catch((error) => ignoreRemoved(view, error));
    localStorage.removeItem(key);
  } catch {
    return false;
  }
  return views.length > 0;
}

/** Throws the error unless the view was removed, or never was one. To a node of an older version the path of a view that is there is unknown. */
async function ignoreRemoved({ list, uid }: StoredDefault, error: unknown): Promise<void> {
  if (!(error instanceof ApiError && (error.status === 404 || error.status === 422))) throw error;
  const { data } = await apiGet<{ data: ShownView[] }>("/views", { list });
  if (data.some((view) => view.uid === uid)) throw error;
}

/** Of a browser that stores nothing: null. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
