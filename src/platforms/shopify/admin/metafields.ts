import { fieldOf, type JsonObject } from "../../json-source.ts";
import { textOf, type UserError, userErrorsOf } from "./answer.ts";
import type { AdminRequest } from "./discount-code.ts";

/** Where storefront themes look for points, at customers and at the shop. */
const NAMESPACE = "loyalty";
const KEY = "easy_points_attributes";

/** The platform takes so many at once, all or none. */
export const METAFIELDS_MAX = 25;

export interface Metafield {
  /** gid of a customer or of the shop. */
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

/** What the platform does not take, by the place in the request; a place null names none. None: all are set. */
export function readRefused(data: JsonObject): { readonly place: number | null; readonly error: UserError }[] {
  return userErrorsOf(fieldOf(data, "metafieldsSet")).map((error) => {
    const place = error.field.find((part) => /^\d+$/.test(part));
    return { place: place === undefined ? null : Number(place), error };
  });
}

/** Asks for the shop's gid. */
export const READ_SHOP: AdminRequest = { query: SHOP, variables: {} };

export function shopRef(data: JsonObject): string | null {
  return textOf(fieldOf(fieldOf(data, "shop"), "id"));
}
