import { fieldOf, type JsonObject } from "../../json-source.ts";
import { type UserError, userErrorsOf } from "./answer.ts";
import type { AdminRequest } from "./discount-code.ts";

/** Handles of the app's trigger extensions (docs/shopify.md). */
export type TriggerHandle = "point-balance-updated" | "tier-changed";

const RECEIVE = `mutation tellFlow($handle: String, $payload: JSON) {
  flowTriggerReceive(handle: $handle, payload: $payload) {
    userErrors { field message }
  }
}`;

/** `flowTriggerReceive`: starts the workflows that begin with the trigger (platforms.md 2). */
export function receiveTrigger(handle: TriggerHandle, payload: Readonly<Record<string, unknown>>): AdminRequest {
  return { query: RECEIVE, variables: { handle, payload } };
}

/** Returns why the trigger was not accepted; empty: it was. */
export function readTriggerErrors(data: JsonObject): UserError[] {
  return userErrorsOf(fieldOf(data, "flowTriggerReceive"));
}
