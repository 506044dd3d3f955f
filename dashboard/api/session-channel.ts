import type { SessionState } from "../../src/admin/session/schema.ts";

/** Several tabs may notice the same change: their messages are collected for so long, and lead to one read. */
const COLLECT_MS = 50;

/** The connection of a tab to the others of the same browser. */
export interface SessionChannel {
  /** Sends what this tab has read to the others, unless they have it: it was sent or received before. */
  publish(text: string): void;
  close(): void;
}

/** Opens the channel of this name. `read` is called when another tab has read a different session. */
export function openSessionChannel(name: string, read: () => void): SessionChannel {
  const channel = new BroadcastChannel(name);
  let known: string | null = null;
  let shared: string | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const compare = () => {
    waiting = undefined;
    if (known !== null && shared !== known) read();
  };
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    shared = data;
    waiting ??= setTimeout(compare, COLLECT_MS);
  };
  return {
    publish(text) {
      known = text;
      if (text !== shared) channel.postMessage(text);
      shared = text;
    },
    close() {
      clearTimeout(waiting);
      channel.close();
    },
  };
}

/** Returns what of a session decides which page is shown, in which language, and where the navigation leads. */
export function sharedTextOf({ staff, totp_needed: needsTotp, default_views: views }: SessionState): string {
  if (staff === null) return "null";
  return JSON.stringify([staff.uid, staff.role, staff.language, staff.has_made_password, needsTotp, views]);
}
