import { expect, test } from "vitest";
import { downloadPageOf } from "./download-page.ts";

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const asked = { method: "GET", url: "/admin/api/orders.csv?state=waiting&q=a%26b", headers: html };

test("a browser that opens the link of a file gets the page, which has the file's path and query", () => {
  const page = new URL(`https://store.example${downloadPageOf(asked, 401, "unauthorized")}`);
  expect(page.pathname).toBe("/admin/download");
  expect(Object.fromEntries(page.searchParams)).toEqual({ file: "/orders.csv?state=waiting&q=a%26b" });
  expect(downloadPageOf({ ...asked, headers: { ...html, "sec-fetch-dest": "document" } }, 404, null)).toMatch(
    /&status=404$/,
  );
  expect(downloadPageOf(asked, 403, "forbidden")).toMatch(/&status=403$/);
  expect(downloadPageOf(asked, 403, "password_choice_needed")).not.toContain("status=403");
});

test("a script, another method, another resource and a success get their own answer", () => {
  expect(downloadPageOf(asked, 200, null)).toBeNull();
  expect(downloadPageOf({ ...asked, method: "POST" }, 401, null)).toBeNull();
  expect(downloadPageOf({ ...asked, headers: { accept: "*/*" } }, 401, null)).toBeNull();
  expect(downloadPageOf({ ...asked, headers: {} }, 401, null)).toBeNull();
  expect(downloadPageOf({ ...asked, headers: { ...html, "sec-fetch-dest": "empty" } }, 401, null)).toBeNull();
  expect(downloadPageOf({ ...asked, url: "/admin/api/orders?x=.csv" }, 401, null)).toBeNull();
  expect(downloadPageOf({ ...asked, url: "/exports/1.csv" }, 401, null)).toBeNull();
});
