import { fieldOf, type JsonObject } from "../../json-source.ts";
import { textOf, type UserError, userErrorsOf } from "./answer.ts";
import type { AdminRequest } from "./discount-code.ts";

/** The namespace in which storefront themes look for points, at customers and at the shop. */
const NAMESPACE = "loyalty";
const KEY = "easy_points_attributes";

/** The maximum number that the platform accepts at once, all or none. */
export const METAFIELDS_MAX = 25;

export interface Metafield {
  /** The gid of a customer or of the shop. */
  readonly ownerId: string;
  /** JSON text. */
  readonly value: string;
}

const SET = `mutation setLoyalty($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { id }
    userErrors { field message code }
  }
}`;

const SHOP = `query readShop {
  shop { id }
}`;

/** `metafieldsSet` of at most 25. */
export function setMetafields(metafields: readonly Metafield[]): AdminRequest {
  const inputs = metafields.map(({ ownerId, value }) => ({
    ownerId,
    namespace: NAMESPACE,
    key: KEY,
    type: "json",
    value,
  }));
  return { query: SET, variables: { metafields: inputs } };
}

/** Returns what the platform does not accept, by the position in the request; a position of null names none. Empty: all are set. */
export function readRefused(data: JsonObject): { readonly place: number | null; readonly error: UserError }[] {
  return userErrorsOf(fieldOf(data, "metafieldsSet")).map((error) => {
    const place = error.field.find((part) => /^\d+$/.test(part));
    return { place: place === undefined ? null : Number(place), error };
  });
}

/** Requests the shop's gid. */
export const READ_SHOP: AdminRequest = { query: SHOP, variables: {} };

export function shopRef(data: JsonObject): string | null {
  return textOf(fieldOf(fieldOf(data, "shop"), "id"));
}
