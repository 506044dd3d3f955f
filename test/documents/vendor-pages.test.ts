import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { vendorPage, vendorPagePath } from "../../scripts/vendor-pages.ts";
import { VENDORS } from "../../src/moving-in/vendors/index.ts";

test.each(VENDORS)("the page of $title is what its data say: else npm run vendors", (vendor) => {
  expect(readFileSync(vendorPagePath(vendor), "utf8")).toBe(vendorPage(vendor));
});

test("there is a page for each app and no other, and the overview links to it", () => {
  const [first] = VENDORS;
  if (first === undefined) throw new Error("there is no app");
  const pages = readdirSync(dirname(vendorPagePath(first))).toSorted();
  expect(pages).toEqual(VENDORS.map(({ name }) => `${name}.md`).toSorted());
  const overview = readFileSync(new URL("../../docs/moving-in.md", import.meta.url), "utf8");
  expect(VENDORS.filter(({ name }) => !overview.includes(`(moving-in/${name}.md)`))).toEqual([]);
});
