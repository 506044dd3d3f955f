import { pointAllotmentCascade } from "./point-allotment-cascade.ts";
import { pointBalanceUpdate } from "./point-balance-update.ts";
import { pointBalancesExport } from "./point-balances-export.ts";

/** Every topic that can be subscribed to (interface.md 6). */
export const WEBHOOK_TOPICS = [pointAllotmentCascade, pointBalanceUpdate, pointBalancesExport] as const;

export type Topic = (typeof WEBHOOK_TOPICS)[number]["name"];

/** The third topic's name with the trailing letter that interface.md 6 mentions; it is accepted and sent as the topic itself. */
export const EXPORT_TOPIC_ALIAS = "point_balances/exports";

/** Returns the topic with this name or alias; undefined: there is none. */
export function findTopic(name: string): Topic | undefined {
  if (name === EXPORT_TOPIC_ALIAS) return "point_balances/export";
  return WEBHOOK_TOPICS.find((topic) => topic.name === name)?.name;
}
