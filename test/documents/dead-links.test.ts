import { expect, test } from "vitest";
import { deadLinks } from "../../scripts/docs-site/dead-links.ts";

test("links to pages and anchors that are not there are found, others are not", () => {
  const pages = [
    {
      path: "index.html",
      html: '<h1 id="top">x</h1><a href="/docs/a/b.html#two">1</a><a href="#top">2</a><a href="https://example.com/x#y">3</a>',
    },
    {
      path: "a/b.html",
      html: '<h2 id="two">x</h2><a class="x" href="../lost.html">1</a><a href="/docs/#nowhere">2</a><img src="/elsewhere.png">',
    },
  ];
  const files = new Set(pages.map(({ path }) => path));
  expect(deadLinks(pages, "/docs/", (path) => files.has(path))).toEqual([
    "a/b.html: ../lost.html leads to no page",
    "a/b.html: /docs/#nowhere leads to no heading",
    "a/b.html: /elsewhere.png leads to no page",
  ]);
});
