import type { Deps } from "../deps.ts";
import { logRarely } from "../http/log-rarely.ts";
import { findPlatformSettings } from "../platforms/index.ts";
import type { DeliveryHead, Headers, PlatformAdapter } from "../platforms/platform.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { checkDeliveryHead } from "./check-delivery-head.ts";
import type { ReceiptQueue } from "./create-receipt-queue.ts";
import { UNSIGNED } from "./headers.ts";
import { newReceipt, platformHeaders, type ReceiptSource, translateReceipt } from "./receipt.ts";

/** A request as received; names of headers are in lower case. */
export interface PlatformRequest {
  readonly headers: Headers;
  readonly rawBody: Uint8Array;
}

/**
 * Accepts a platform's delivery (platforms.md 1.2 to 1.4, 4.3 rule 1): checks the signature over the raw bytes and the shop, stores the
 * receipt once, and leaves the processing to the worker. Throws `unauthorized` (401) for a wrong signature or shop, and `invalid` (422) if
 * a header is missing that every delivery has. A signed body that cannot be read is stored too, in quarantine: a refusal would only make
 * the platform send it again for hours. Returns whether it was a signed delivery, or only a ping, which anybody can send.
 */
export async function receiveDelivery(
  deps: Pick<Deps, "config" | "db" | "clock" | "random" | "log">,
  queue: ReceiptQueue,
  platform: PlatformAdapter,
  request: PlatformRequest,
): Promise<"delivery" | "ping"> {
  if (isPing(deps, platform, request)) return "ping";
  const { topic, deliveryKey } = authenticate(deps, platform, request);
  const source: ReceiptSource = {
    adapter: platform.platform,
    topic,
    deliveryKey,
    headers: platformHeaders(platform, request.headers),
    body: request.rawBody,
    receivedAt: deps.clock.now(),
  };
  const { store } = await readProgram(deps.db);
  const receipt = newReceipt(source, deps.random.uid(), translateReceipt(source, store.currency));
  if (receipt.state === "quarantined") {
    deps.log.warn(
      { platform: source.adapter, topic, receipt: receipt.uid, reason: receipt.note },
      "delivery quarantined",
    );
  }
  await queue.add([receipt]);
  return "delivery";
}

/** Whether the request is a ping. A platform without a secret gets a refusal even for a ping: otherwise the store would look connected. */
function isPing(deps: Pick<Deps, "config">, adapter: PlatformAdapter, { headers, rawBody }: PlatformRequest): boolean {
  const { secrets } = findPlatformSettings(deps.config.platforms, adapter.platform);
  return secrets.length > 0 && adapter.isPing?.(headers, rawBody) === true;
}

function authenticate(
  deps: Pick<Deps, "config" | "log">,
  adapter: PlatformAdapter,
  { headers, rawBody }: PlatformRequest,
): DeliveryHead {
  checkDeliveryHead(deps, adapter, headers);
  const { platform, verify, describe } = adapter;
  const verdict = verify(headers, rawBody, findPlatformSettings(deps.config.platforms, platform).secrets);
  if (verdict !== "ok") {
    logRarely(deps.log, { platform, reason: verdict }, "delivery refused");
    throw new Problem("unauthorized", UNSIGNED);
  }
  const facts = describe(headers, rawBody);
  if (facts !== null) return facts;
  throw new Problem("invalid", { faults: [{ detail: "expected the headers that name the topic and the shop" }] });
}
