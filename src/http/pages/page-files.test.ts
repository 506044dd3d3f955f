import { expect, test } from "vitest";
import { filesOfPage, preloadLinks } from "./page-files.ts";

const PAGES = [
  { path: "/", files: ["assets/home.js"] },
  { path: "/customers", files: ["assets/list.js"] },
  { path: "/customers/$id/{-$tab}/{-$uid}", files: ["assets/customer.js"] },
  { path: "/customers/$id/statement", files: ["assets/statement.js"] },
  { path: "/csv/{-$tab}", files: ["assets/csv.js"] },
  { path: "/csv/imports/$uid", files: ["assets/import.js", "assets/import.css"] },
];

test.each([
  ["", "home"],
  ["/", "home"],
  ["/customers", "list"],
  ["/customers/", "list"],
  ["/customers/7", "customer"],
  ["/customers/7/orders", "customer"],
  ["/customers/7/why/1", "customer"],
  ["/customers/7/why/1/2", undefined],
  ["/customers/7/statement", "statement"],
  ["/csv", "csv"],
  ["/csv/imports", "csv"],
  ["/csv/imports/9", "import"],
  ["/nowhere", undefined],
])("%s is the page of %s", (path, name) => {
  expect(filesOfPage(PAGES, path)[0]).toBe(name === undefined ? undefined : `assets/${name}.js`);
});

test("scripts and styles are named as the browser will ask for them", () => {
  expect(preloadLinks(filesOfPage(PAGES, "/csv/imports/9"), "/shop/admin")).toBe(
    '<link rel="preload" as="fetch" crossorigin href="/shop/admin/api/session">' +
      '<link rel="modulepreload" crossorigin href="/shop/admin/assets/import.js">' +
      '<link rel="preload" as="style" crossorigin href="/shop/admin/assets/import.css">',
  );
  expect(preloadLinks([], "/admin")).toBe("");
});
