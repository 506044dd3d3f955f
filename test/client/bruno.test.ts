import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { brunoFiles, COLLECTION } from "../../scripts/bruno-collection.ts";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));

test("the Bruno collection is made from the document, one request an operation", () => {
  const kept = readdirSync(COLLECTION, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(kept.map((path) => [relative(COLLECTION, path), readFileSync(path, "utf8")]));
  const expected = brunoFiles(document);
  expect([...files.keys()].sort(), "npm run bruno writes it anew").toEqual([...expected.keys()].sort());
  for (const [path, text] of expected) expect(files.get(path), path).toBe(text);
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
  const requests = kept.filter((path) => path.endsWith(".bru") && !path.endsWith("folder.bru"));
  expect(requests).toHaveLength(operations.length + 2);
});

/** The requests in the order in which Bruno runs them. */
function inOrder(): string[] {
  const files = brunoFiles(document);
  const seqOf = (path: string) => Number(/^ {2}seq: (\d+)$/m.exec(files.get(path) ?? "")?.[1]);
  const folders = [...files.keys()].filter((path) => path.endsWith("/folder.bru")).map((path) => dirname(path));
  return folders
    .sort((a, b) => seqOf(`${a}/folder.bru`) - seqOf(`${b}/folder.bru`))
    .flatMap((folder) => {
      const own = [...files.keys()].filter((path) => dirname(path) === folder && !path.endsWith("/folder.bru"));
      return own.sort((a, b) => seqOf(a) - seqOf(b));
    })
    .map((path) => files.get(path) ?? "");
}

test("a variable of a request is set by one before it", () => {
  const set = new Set(["baseUrl", "key", "secret", "customerToken", "$guid"]);
  const requests = inOrder();
  expect(requests).toHaveLength(
    Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods)).length,
  );
  for (const text of requests) {
    for (const [, name = ""] of text.matchAll(/\{\{(.+?)\}\}/g)) expect(set, text).toContain(name);
    const kept = /^vars:post-response \{\n {2}(\w+): /m.exec(text)?.[1];
    if (kept !== undefined) set.add(kept);
  }
  expect(set.size, "couponCode and three ids").toBe(9);
});

test("the URL has the query that a request needs, and its body is an example", () => {
  const files = brunoFiles(document);
  expect(files.get("orders/order-point-data.bru")).toContain("/orders?ids=450789469%2C450789470\n");
  expect(files.get("reports/the-allotments-behind-a-figure-of-points.bru")).toMatch(
    /\?month=\d{4}-\d\d&kind=redeemed\n/,
  );
  const events = files.get("intake/receive-neutral-events-of-any-platform-or-script.bru");
  expect(events).toContain('"type": "OrderFulfilled"');
});
