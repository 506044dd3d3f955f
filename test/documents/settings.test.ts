import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shownSettings } from "../../src/commands/config.ts";
import { reportSettings } from "../../src/config.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Tables of settings, by page: docs/operations.md names every one. */
const PAGES = ["docs/operations.md", "docs/backup.md"];

/** With these, groups of settings are read that are not otherwise. */
const ON = {
  POINTKEEPER_OIDC_ISSUER: "https://id.example",
  POINTKEEPER_OIDC_CLIENT_ID: "store",
  POINTKEEPER_SMTP_URL: "smtps://user:word@mail.example:465",
  POINTKEEPER_MAIL_FROM: "points@store.example",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  SHOPIFY_SHOP_DOMAIN: "tea.myshopify.com",
  SHOPIFY_WEBHOOK_SECRETS: "a-secret-of-the-shop-0123456789",
  SHOPIFY_ADMIN_TOKEN: "shpat_0123456789",
};

interface DocumentedSetting {
  readonly page: string;
  readonly names: readonly string[];
  readonly usual: string;
}

/** Rows of the tables whose first cell has nothing but names of settings. */
function documented(): DocumentedSetting[] {
  return PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|([^|]*)\|/gm)].map(
      ([, names = "", usual = ""]) => ({
        page,
        names: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ""),
        usual: usual.trim().replaceAll("`", ""),
      }),
    ),
  );
}

const report = reportSettings(ON);

test("every setting that the service reads is in the table of docs/operations.md, and every one there is read", () => {
  expect(report.fault).toBeNull();
  const known = documented()
    .filter(({ page }) => page === "docs/operations.md")
    .flatMap(({ names }) => names);
  const read = [...report.settings.keys()].filter((name) => name !== "POINTKEEPER_REQUIRE_TOTP"); // described with its later name
  expect(read.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !read.includes(name))).toEqual([]);
  expect(read.length).toBeGreaterThan(80);
});

test("a setting is shown whether or not anything else is set", () => {
  const names = (env: object) => shownSettings(reportSettings({ ...env })).map(({ name }) => name);
  expect(names({})).toEqual(names(ON));
});

test("a default that a page names is the one that pointkeeper config shows", () => {
  const shown = new Map(shownSettings(reportSettings(ON)).map(({ name, value }) => [name, value]));
  const literal = documented().filter(
    ({ names, usual }) => names.length === 1 && /^(?:\d+|[a-z]+|127\S+)$/.test(usual),
  );
  expect(literal.length).toBeGreaterThan(30);
  const other = literal.flatMap(({ page, names: [name = ""], usual }) =>
    shown.get(name) === usual ? [] : [`${page}: ${name} is ${usual}, shown ${shown.get(name)}`],
  );
  expect(other).toEqual([]);
});

test("no value that may carry a secret is shown", () => {
  const secret = "a-value-that-nobody-should-see-0123456789";
  const names = [...report.settings.keys(), "OTEL_EXPORTER_OTLP_HEADERS"].filter((name) =>
    /KEY|SECRET|TOKEN|PASSWORD|HEADERS/.test(name),
  );
  expect(names.length).toBeGreaterThan(12);
  const settings = new Map(names.map((name) => [name, secret] as const));
  const shown = JSON.stringify(shownSettings({ ...report, settings }));
  expect(shown).not.toContain(secret);
  const url = new Map([["DATABASE_URL", `postgresql://store:${secret}@db.example/store`]]);
  expect(JSON.stringify(shownSettings({ ...report, settings: url }))).not.toContain(secret);
});
