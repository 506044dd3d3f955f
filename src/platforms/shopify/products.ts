import { addFault, at, has, onlyKnown } from "../json-reader.ts";
import { instantIfGiven, readEntityId, readTags, refuseFields, type TopicTranslation } from "./fields.ts";

/** products/create and products/update: their tags, which order bodies lack (program.md 4). Collections are not in them. */
export const translateProduct: TopicTranslation = (body) => {
  refuseFields(body, "products/*", ["line_items", "order_id", "customer", "shop_domain"]);
  if (!has(body, "variants") && !has(body, "handle")) addFault(at(body, "handle"), "the handle of a product");
  const productId = readEntityId(body, "Product");
  const version = instantIfGiven(at(body, "updated_at"));
  return [
    {
      type: "ProductUpserted",
      subject: `product/${productId}`,
      factKey: `product/${productId}@${at(body, "updated_at").value ?? ""}`,
      payload: { productId, ...onlyKnown({ tags: readTags(at(body, "tags")) }) },
      ...onlyKnown({ occurredAt: version, entityVersion: version }),
    },
  ];
};
