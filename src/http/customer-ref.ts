import { Type } from "typebox";

/** How a request names a customer: by the platform's id, or by e-mail (program.md 1). */
export type CustomerName = { readonly storefrontId: string } | { readonly email: string };

/** Reads the decoded path part or body field that names a customer; an e-mail comes in lower case, as it is stored. */
export function parseCustomerRef(text: string): CustomerName {
  return text.includes("@") ? { email: text.toLowerCase() } : { storefrontId: text };
}

/** The customer of a path, decoded: 1 to 1,000 characters. */
export const customerParam = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "The customer's storefront id, or the customer's e-mail address, URL-encoded.",
  examples: ["4567890123"],
});

/** The customer of a body: a string, or an integer that is taken digit for digit. */
export const customerField = Type.Union(
  [Type.String({ minLength: 1, maxLength: 1_000 }), Type.Integer({ minimum: 0 })],
  {
    description: "The customer's storefront id, or the customer's e-mail address.",
    examples: ["4567890123"],
    expected: "a customer's id or e-mail: a string of 1 to 1000 characters, or an integer",
  },
);
