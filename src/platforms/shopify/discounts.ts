import type { EventContent } from "../event-content.ts";
import { addFault, at, has, type JsonReader, onlyKnown } from "../json-reader.ts";
import { instantIfGiven, readGid, readTitle, refuseFields, type TopicTranslation } from "./fields.ts";

const KINDS = ["DiscountCodeNode", "DiscountAutomaticNode", "PriceRule"];

/** discounts/delete names the discount only by its gid. */
export const translateDiscountDeletion: TopicTranslation = (body) => {
  refuseFields(body, "discounts/delete", ["status", "title", "redeem_code"]);
  const deletedAt = instantIfGiven(at(body, "deleted_at"));
  if (deletedAt === undefined) addFault(at(body, "deleted_at"), "the time of the deletion");
  return [state(body, null, "discount_deleted", deletedAt)];
};

/** discounts/update is relevant only if it says that a discount has ended. */
export const translateDiscountUpdate: TopicTranslation = (body) => {
  refuseFields(body, "discounts/update", ["deleted_at", "redeem_code"]);
  const { value: status } = at(body, "status");
  if (typeof status !== "string") addFault(at(body, "status"), "the status of the discount");
  const ended = state(body, null, "expired", instantIfGiven(at(body, "updated_at")));
  return status === "EXPIRED" ? [ended] : [];
};

/** discounts/redeemcode_removed: redeemcode_added has the same form, distinguished only by the topic. */
export const translateCodeRemoval: TopicTranslation = (body) => {
  const code = at(at(body, "redeem_code"), "code");
  if (!has(at(body, "redeem_code"), "code")) addFault(code, "the code that was removed");
  return [state(body, readTitle(code), "code_removed", instantIfGiven(at(body, "updated_at")))];
};

/** The complete gid is the reference: a redemption stores the one that it got when it created the discount. */
function state(
  body: JsonReader,
  code: string | null,
  reason: "discount_deleted" | "expired" | "code_removed",
  occurredAt: Temporal.Instant | undefined,
): EventContent {
  const id = readGid(at(body, "admin_graphql_api_id"), KINDS);
  const discountRef = id === "" ? "" : readTitle(at(body, "admin_graphql_api_id"));
  return {
    type: "CouponDeleted",
    subject: `discount/${discountRef}`,
    factKey: `${reason}/${discountRef}/${code ?? ""}`,
    payload: { discountRef, code, reason },
    ...onlyKnown({ occurredAt }),
  };
}
