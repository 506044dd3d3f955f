import { Type } from "typebox";

/** The query field of reads that can return the state at an earlier moment. */
export const asOfField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      "The state at that moment: an ISO 8601 date-time, or a date, which means the start of that day. A future time is refused.",
    examples: ["2026-03-01T09:30:00Z"],
  }),
);
