import { Type } from "typebox";

/** The customer in a path, decoded: 1 to 1,000 characters. */
export const customerParam = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "The customer's storefront id, or the customer's e-mail address, URL-encoded.",
  examples: ["4567890123"],
});

/** The customer in a body: a string, or an integer whose digits are kept. */
export const customerField = Type.Union(
  [Type.String({ minLength: 1, maxLength: 1_000 }), Type.Integer({ minimum: 0 })],
  {
    description: "The customer's storefront id, or the customer's e-mail address.",
    examples: ["4567890123"],
    expected: "a customer's id or e-mail: a string of 1 to 1000 characters, or an integer",
  },
);
