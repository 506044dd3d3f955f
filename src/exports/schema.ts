import { Type } from "typebox";
import { Nullable } from "../http/nullable.ts";

const instant = Type.String({ format: "date-time", examples: ["2026-03-01T00:00:00.000000Z"] });

/** The body of a request for an export (interface.md 4.8). */
export const exportBody = Type.Object(
  {
    start_datetime: Type.String({ description: "ISO 8601; a plain date is a day of the store." }),
    end_datetime: Type.String({ description: "ISO 8601, excluded; a plain date is included." }),
  },
  { title: "ExportRequest", examples: [{ start_datetime: "2026-02-01", end_datetime: "2026-02-28" }] },
);

const acknowledged = {
  uid: Type.String({ format: "uuid" }),
  status: Type.String({ description: "`processing`, `ready` or `failed`.", examples: ["processing"] }),
  start_datetime: instant,
  end_datetime: instant,
  requested_at: instant,
};

export const exportAcknowledgement = Type.Object({ data: Type.Object(acknowledged, { title: "AcceptedExport" }) });

export const exportParams = Type.Object({ uid: Type.String() });

export const exportAnswer = Type.Object({
  data: Type.Object(
    {
      ...acknowledged,
      finished_at: Nullable(instant),
      row_count: Nullable(Type.Integer({ description: "Customers in the file." })),
      byte_count: Nullable(Type.Integer()),
      url: Nullable(Type.String({ description: "Where the file is, for one hour; null until it is ready." })),
    },
    { title: "Export" },
  ),
});

export const fileParams = Type.Object({
  file: Type.String({ pattern: "^[0-9a-f-]{36}\\.csv$", expected: "<uid>.csv" }),
});

export const fileQuery = Type.Object({
  expires: Type.Optional(Type.String({ description: "Seconds since 1970." })),
  signature: Type.Optional(Type.String()),
});
