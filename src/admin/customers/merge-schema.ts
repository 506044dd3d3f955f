import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";

const text = Type.String();
const points = Type.Integer();
const removed = Type.String({ minLength: 1, maxLength: 1_000 });

export const mergePreviewBody = Type.Object({ removed }, { additionalProperties: false });
/** `seen` is a value of the preview. */
export const mergeBody = Type.Object(
  { removed, seen: Type.String({ pattern: "^[0-9a-f]{64}$", expected: "the `seen` of the preview" }) },
  { additionalProperties: false },
);

const side = Type.Object({
  id: text,
  name: Nullable(text),
  name_reading: Nullable(text),
  email: Nullable(text),
  birthday: Nullable(text),
  accepts_marketing: Nullable(Type.Boolean()),
  tags: Type.Array(text),
  available: points,
  held: points,
  owed: points,
  lots: Type.Integer(),
  expiries: Type.Array(Type.Object({ expires_at: Type.String({ format: "date-time" }), points })),
  tier: text,
  minimum_tier: Nullable(text),
  notes: Type.Integer(),
});
export type MergeSideShown = Static<typeof side>;

const needsApproval = Type.Object({
  points: Type.Integer({
    description:
      "The larger of the two balances, each with what orders have yet to award there, which counts in the allowance.",
  }),
  moved_points: Type.Integer({ description: "The balance of the removed customer, which moves." }),
  order_points: Type.Optional(
    Type.Integer({ description: "Those of `points` that orders have yet to award; absent: none." }),
  ),
  excess: Type.Enum(["customer", "day"]),
  earlier_points: Type.Integer({ description: "What counted with them, of the same limit." }),
});
const mergePreview = Type.Object({
  ...{ kept: side, removed: side, after: side, seen: text },
  needs_approval: Nullable(needsApproval),
});
export type ShownMerge = Static<typeof mergePreview>;
export const mergePreviewAnswer = Type.Object({ data: mergePreview });
export const mergeAnswer = Type.Object({
  data: Type.Object({
    id: text,
    is_requested: Type.Boolean({ description: "Nothing is merged until a second person approves it." }),
  }),
});
