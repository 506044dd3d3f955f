import type { OrderExampleView } from "../../../src/admin/program/schema.ts";
import type { reviewWords } from "./review-words.ts";

interface Circumstances extends Pick<OrderExampleView, "campaign" | "collection"> {
  /** Absent from a node of the version before. */
  readonly collection_name?: OrderExampleView["collection_name"];
}

/** Returns when an order of the review is placed, and in which campaign and with which bonus: "Today, campaign Summer, with bonus of Teas". */
export function circumstancesText(
  { campaign, collection, collection_name: name }: Circumstances,
  when: string,
  r: Pick<(typeof reviewWords)["en"], "inCampaign" | "inCollection">,
): string {
  const inCampaign = campaign === null ? [] : [r.inCampaign(campaign)];
  const withBonus = collection === null ? [] : [r.inCollection(name ?? collection)];
  return [when, ...inCampaign, ...withBonus].join(", ");
}
