import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { replayDelivery } from "../../webhooks/replay-delivery.ts";
import { replayFailed } from "../../webhooks/replay-failed.ts";
import { findTopic } from "../../webhooks/topics/index.ts";
import { readSince } from "./read-since.ts";
import type { ReplayAllAnswer } from "./schema.ts";

/** What is sent again: one failed delivery, or all that failed since a time, of a topic or of all. */
export type ReplayInput = { readonly uid: string } | { readonly topic?: string; readonly since?: string };

/** Sends failed deliveries again and writes down who asked. Throws `invalid`, and `not_found` of a single one. */
export async function replayDeliveries(deps: Deps, input: ReplayInput): Promise<ReplayAllAnswer["data"]> {
  if ("uid" in input) {
    await deps.db.tx(async (tx) => {
      await replayDelivery(tx, deps, input.uid);
      await recordAction(tx, deps, { action: "delivery.replayed", subject: { kind: "delivery", id: input.uid } });
    });
    return { replayed: 1, has_more: false };
  }
  const since = await readSince(deps.db, input.since, "body");
  const topic = input.topic === undefined ? null : (findTopic(input.topic) ?? null);
  let sent = 0;
  try {
    const { replayed, hasMore } = await replayFailed(deps, { since, topic }, (count) => {
      sent += count;
    });
    return { replayed, has_more: hasMore };
  } finally {
    const subject = { kind: "subscription", id: topic ?? "all" };
    const after = { since: since?.toString() ?? null, replayed: sent };
    await recordAction(deps.db, deps, { action: "deliveries.replayed", subject, after });
  }
}
