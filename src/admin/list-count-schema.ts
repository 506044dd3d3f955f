import { type Static, Type } from "typebox";
import { Nullable } from "../http/nullable.ts";

/** The number of all rows that the filters of a list show. It has a route of its own, so that no list waits for it or fails with it. */
export const listCountAnswer = Type.Object({
  data: Type.Object({
    count: Nullable(
      Type.Integer({ description: "One more than `counted_to`: there are more than that. Null: not counted in time." }),
    ),
    counted_to: Type.Integer(),
  }),
});

export type ListCountAnswer = Static<typeof listCountAnswer>;
