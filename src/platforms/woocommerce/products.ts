import { addFault, at, has, onlyKnown, readListOrNone } from "../json-reader.ts";
import { gmtIfGiven, readWooId, readWooText, refuseWooFields, type WooTranslation } from "./fields.ts";

/** product.created, updated and restored: tags by name, categories as collections by id. */
export const translateWooProduct: WooTranslation = (body) => {
  refuseWooFields(body, "product.*", ["line_items", "email", "billing"]);
  if (!has(body, "categories")) addFault(at(body, "categories"), "the categories of a product");
  const productId = readWooId(at(body, "id"));
  const version = gmtIfGiven(body, "date_modified");
  const tags = readListOrNone(at(body, "tags"), (tag) => readWooText(at(tag, "name")).trim());
  const collections = readListOrNone(at(body, "categories"), (category) => readWooId(at(category, "id")));
  return [
    {
      type: "ProductUpserted",
      subject: `product/${productId}`,
      factKey: `product/${productId}@${version ?? ""}`,
      payload: {
        productId,
        collections: [...new Set(collections)],
        ...(has(body, "tags") ? { tags: [...new Set(tags)].filter((tag) => tag !== "") } : {}),
      },
      ...onlyKnown({ occurredAt: version, entityVersion: version }),
    },
  ];
};
