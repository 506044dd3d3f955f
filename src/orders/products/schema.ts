import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";

const VISIBLE_ASCII = "^[!-~]+$";

const platformId = Type.String({ minLength: 1, maxLength: 255, pattern: VISIBLE_ASCII });

export const productParams = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: VISIBLE_ASCII,
    description: "The product's storefront id.",
    examples: ["632910392"],
    expected: "an id of 1 to 255 visible ASCII characters",
  }),
});

/** `PUT /products/:id` (program.md 4): an absent field keeps the stored value; a list is the complete set. */
export const productBody = Type.Object(
  {
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1_000 })),
    collections: Type.Optional(
      Type.Array(Type.Union([platformId, Type.Integer({ minimum: 0 })]), {
        maxItems: 1_000,
        description: "Ids of the collections that the product is in.",
      }),
    ),
  },
  { title: "ProductChange", additionalProperties: false, examples: [{ tags: ["no-points"], collections: ["77"] }] },
);

export type ProductBody = Static<typeof productBody>;

export const productAnswer = Type.Object(
  {
    data: Type.Object(
      {
        id: Type.String({ description: "The product's storefront id." }),
        tags: Nullable(Type.Array(Type.String())),
        collections: Nullable(Type.Array(Type.String())),
      },
      { title: "Product", description: "Null is unknown." },
    ),
  },
  { examples: [{ data: { id: "632910392", tags: ["no-points"], collections: ["77"] } }] },
);
