import { type CodeInput, codeTitle } from "../../coupon-code.ts";
import { fieldOf, type JsonObject } from "../../json-source.ts";
import { formatMajor } from "../../money.ts";
import { numberOf, textOf, type UserError, userErrorsOf } from "./answer.ts";
import { gid } from "./gid.ts";

/** A request to the Admin API. */
export interface AdminRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A discount found at the platform. */
export interface FoundDiscount {
  /** The DiscountCodeNode's gid: deletions name only this. */
  readonly ref: string;
  readonly title: string | null;
  /** Uses that the platform has counted so far: it counts late, so 0 proves nothing (platforms.md 3). */
  readonly usageCount: number;
}

const CREATE = `mutation createCoupon($basicCodeDiscount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $basicCodeDiscount) {
    codeDiscountNode { id }
    userErrors { field message code }
  }
}`;

const DISCOUNT = "id codeDiscount { __typename ... on DiscountCodeBasic { title asyncUsageCount } }";

const FIND_BY_CODE = `query findCoupon($code: String!) {
  codeDiscountNodeByCode(code: $code) { ${DISCOUNT} }
}`;

const FIND_BY_REF = `query readCoupon($id: ID!) {
  codeDiscountNode(id: $id) { ${DISCOUNT} }
}`;

const DELETE = `mutation deleteCoupon($id: ID!) {
  discountCodeDelete(id: $id) {
    deletedCodeDiscountId
    userErrors { field message code }
  }
}`;

/** Returns which field names no resource of the platform, as a JSON pointer into `POST /coupons`; null: all do. */
export function foreignField({
  storefrontId,
  productIds,
}: Pick<CodeInput, "storefrontId" | "productIds">): string | null {
  if (gid("Customer", storefrontId) === null) return "/customer_id";
  return (productIds ?? []).every((id) => gid("Product", id) !== null) ? null : "/product_ids";
}

/** `discountCodeBasicCreate`: a fixed discount, once, for one customer, on all or some products (platforms.md 3). */
export function createDiscount(input: CodeInput): AdminRequest {
  const { productIds } = input;
  const items =
    productIds === null ? { all: true } : { products: { productsToAdd: productIds.map((id) => gid("Product", id)) } };
  const amount = formatMajor(input.currencyValue, input.currency);
  const basicCodeDiscount = {
    code: input.code,
    title: codeTitle(input.couponUid),
    context: { customers: { add: [gid("Customer", input.storefrontId)] } },
    customerGets: { value: { discountAmount: { amount, appliesOnEachItem: false } }, items },
    usageLimit: 1,
    appliesOncePerCustomer: true,
    startsAt: input.startsAt.toString({ smallestUnit: "second" }),
    endsAt: input.endsAt.toString({ smallestUnit: "second" }),
  };
  return { query: CREATE, variables: { basicCodeDiscount } };
}

/** Returns the new discount's gid, or why there is none. */
export function readCreated(data: JsonObject): { readonly ref: string } | { readonly errors: readonly UserError[] } {
  const payload = fieldOf(data, "discountCodeBasicCreate");
  const ref = textOf(fieldOf(fieldOf(payload, "codeDiscountNode"), "id"));
  return ref === null ? { errors: userErrorsOf(payload) } : { ref };
}

export function findDiscount(by: { readonly code: string } | { readonly ref: string }): AdminRequest {
  if ("code" in by) return { query: FIND_BY_CODE, variables: { code: by.code } };
  return { query: FIND_BY_REF, variables: { id: by.ref } };
}

/** Returns the discount of `findDiscount`; null: there is none. */
export function readFound(data: JsonObject): FoundDiscount | null {
  const node = fieldOf(data, "codeDiscountNodeByCode") ?? fieldOf(data, "codeDiscountNode");
  const ref = textOf(fieldOf(node, "id"));
  if (ref === null) return null;
  const discount = fieldOf(node, "codeDiscount");
  return {
    ref,
    title: textOf(fieldOf(discount, "title")),
    usageCount: numberOf(fieldOf(discount, "asyncUsageCount")) ?? 0,
  };
}

/** Whether the discount under the code at the platform is this coupon's. */
export function isOwnDiscount({ couponUid }: Pick<CodeInput, "couponUid">, found: FoundDiscount): boolean {
  return found.title === codeTitle(couponUid);
}

export function deleteDiscount(ref: string): AdminRequest {
  return { query: DELETE, variables: { id: ref } };
}

/** Whether the platform confirms that it has just deleted the discount. */
export function readDiscountDeleted(data: JsonObject): boolean {
  return textOf(fieldOf(fieldOf(data, "discountCodeDelete"), "deletedCodeDiscountId")) !== null;
}
