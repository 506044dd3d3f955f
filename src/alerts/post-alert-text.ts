import { Agent, request } from "undici";
import type { Deps } from "../deps.ts";
import { callbackTarget } from "../webhooks/callbacks/callback-url.ts";
import { guardedLookup } from "../webhooks/callbacks/guarded-lookup.ts";

const TIMEOUT_MS = 5_000;
const ERROR_LENGTH_MAX = 300;

/**
 * Sends a text once to an incoming webhook in the format of Slack and others, `{"text": "..."}`. Returns why it was not accepted, or null. The
 * address is checked like a callback's; redirects are not followed. Call it outside every transaction.
 */
export async function postAlertText(deps: Pick<Deps, "config">, url: string, text: string): Promise<string | null> {
  const { origin, path, refusal } = callbackTarget(url, deps.config);
  if (refusal !== null) return refusal;
  const connect = { lookup: guardedLookup(deps), timeout: TIMEOUT_MS };
  const dispatcher = new Agent({ connections: 1, allowH2: false, connect });
  try {
    const { statusCode } = await request(`${origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "pointkeeper" },
      body: JSON.stringify({ text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") }),
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return statusCode >= 200 && statusCode < 300 ? null : `the webhook responded ${statusCode}`;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.replaceAll("\0", "").slice(0, ERROR_LENGTH_MAX).toWellFormed();
  } finally {
    await dispatcher.destroy();
  }
}
