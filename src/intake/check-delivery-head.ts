import type { Deps } from "../deps.ts";
import { logRarely } from "../http/log-rarely.ts";
import { findPlatformSettings } from "../platforms/index.ts";
import type { Headers, PlatformAdapter } from "../platforms/platform.ts";
import { Problem } from "../problems.ts";
import { UNSIGNED } from "./headers.ts";

const NO_BODY = new Uint8Array();

/**
 * Throws `unauthorized` (401) if the headers show that a delivery is refused whatever its body says: no secret is set, the signature is
 * missing, or another shop is named. The route calls it before it reads the body, so that a sender without a signature cannot make the
 * service read 10 MB.
 */
export function checkDeliveryHead(
  deps: Pick<Deps, "config" | "log">,
  { platform, verify, describe, isPing }: PlatformAdapter,
  headers: Headers,
): void {
  const settings = findPlatformSettings(deps.config.platforms, platform);
  const refuse = (reason: string) => {
    logRarely(deps.log, { platform, reason }, "delivery refused");
    throw new Problem("unauthorized", UNSIGNED);
  };
  if (settings.secrets.length === 0) refuse("no secret is set");
  if (isPing?.(headers, NO_BODY) === true) return;
  if (verify(headers, NO_BODY, []) === "missing_header") refuse("missing_header");
  const facts = describe(headers, NO_BODY);
  if (facts !== null && settings.shop !== undefined && facts.shop !== settings.shop) refuse("another shop");
}
