import { expect, test } from "vitest";
import { filePageOf } from "./file-page.ts";

test("a file is listed at a page of the dashboard, and nothing else is a file", () => {
  expect(filePageOf("/orders.csv?state=waiting")).toBe("/orders");
  expect(filePageOf("/webhooks/deliveries.csv")).toBe("/webhooks");
  expect(filePageOf("/exports/019a/file")).toBe("/csv/exports");
  expect(filePageOf("/imports/019a/faults.csv")).toBe("/csv");
  expect(filePageOf("/reports/019a/file.csv")).toBe("/reports");
  for (const path of ["", "/orders", "/../../evil.csv", "//evil.example/a.csv", "orders.csv", "/orders.csv/x"]) {
    expect(filePageOf(path)).toBeNull();
  }
});
