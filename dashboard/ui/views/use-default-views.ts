import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY, useSession } from "../../api/session.ts";
import { notifyFailed } from "../states/notify-failed.tsx";
import type { DefaultViews } from "./default-views.ts";

const NONE: DefaultViews = [];

/** The views with which this person's navigation opens lists, on every computer. */
export function useDefaultViews(): DefaultViews {
  return useSession().default_views ?? NONE; // a node of an older version does not send them
}

interface DefaultChange {
  readonly uid: string;
  readonly isDefault: boolean;
}

/** Makes a view the one with which the navigation opens its list, or ends that. The session, which has them, is read again. */
export function useChangeDefaultView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, isDefault }: DefaultChange) => apiSend(isDefault ? "PUT" : "DELETE", defaultPath(uid), {}),
    onError: notifyFailed,
    onSettled: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}

export function defaultPath(uid: string): string {
  return `/views/${encodeURIComponent(uid)}/default`;
}
