import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";

const text = Type.String();
const nullableText = Nullable(text);

export const statementBody = Type.Object({
  start_date: Type.String({ format: "date", expected: "a date, as 2026-03-01" }),
  end_date: Type.String({ format: "date", expected: "a date, as 2026-03-31; it is included" }),
});

const exportRow = Type.Object({
  uid: text,
  state: Type.Enum(["processing", "ready", "failed"]),
  start_at: text,
  end_at: Type.String({ description: "Excluded." }),
  requested_at: text,
  requested_by: text,
  finished_at: nullableText,
  row_count: Nullable(Type.Integer({ minimum: 0 })),
  byte_count: Type.Integer({ description: "So far, while it is made." }),
});

export const exportsAnswer = Type.Object({
  data: Type.Array(exportRow),
  next: nullableText,
  next_request_at: Nullable(Type.String({ description: "When the next one may be requested; null: now." })),
});

export type ListedExportRow = Static<typeof exportRow>;
export type ExportsAnswer = Static<typeof exportsAnswer>;
