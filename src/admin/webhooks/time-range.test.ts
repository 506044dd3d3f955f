import { expect, test } from "vitest";
import { parseTimeRange } from "./time-range.ts";

const text = (query: { since?: string; until?: string }) => {
  const range = parseTimeRange(query, "Asia/Tokyo");
  return "faults" in range ? range.faults : [range.since?.toString(), range.until?.toString()];
};

test("days are the store's, the last one included; date-times are taken as they are", () => {
  expect(text({ since: "2026-03-01", until: "2026-03-01" })).toEqual(["2026-02-28T15:00:00Z", "2026-03-01T15:00:00Z"]);
  expect(text({ since: "2026-03-01T00:00:00+09:00" })).toEqual(["2026-02-28T15:00:00Z", undefined]);
});

test("every fault is told", () => {
  const detail = expect.stringContaining("expected a date");
  const both = [
    { parameter: "since", detail },
    { parameter: "until", detail },
  ];
  expect(text({ since: "2026-02-30", until: "tomorrow" })).toEqual(both);
  expect(text({ since: "0001-01-01", until: "+275760-09-13T00:00:00Z" })).toEqual(both); // the database lacks them
});
