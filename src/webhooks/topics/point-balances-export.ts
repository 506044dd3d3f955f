import { Type } from "typebox";

export interface ExportInput {
  /** Signed at the attempt; valid for one hour from then. */
  url: string;
}

/** The file of an export request (interface.md 6.4). Its outbox event stores the export's uid; the body is made at each attempt. */
export const pointBalancesExport = {
  name: "point_balances/export",
  schema: Type.Object({ url: Type.String({ format: "uri" }) }),
  sample: {
    url: "https://points.example.com/exports/019ca8e7-7d10-7e5c-a3f4-0b9c6d2e8f51.csv?expires=1772361000&signature=5b1f0c",
  },
  /** Returns the body as JSON text. */
  payload(input: ExportInput): string {
    return JSON.stringify({ url: input.url });
  },
} as const;
